import CampaignCore

/// Counts rows of audience files that are probably mistakes, while the files are read.
struct UnusualRowCount: Sendable {
    private struct Column: Hashable {
        let file: Int
        let variable: Int?
        let word: MissingValueWord
    }

    private static let mostWords = 3

    private let variables: [String]
    /// The index of the variable that contains the username.
    private let username: Int?
    private var values: [Column: UnusualRows] = [:]
    private var headings: [Int: UnusualRows] = [:]
    /// For each variable, the number of values that are two capital letters minus the number of
    /// other values, ignoring `NA`.
    private var codes: [Int]

    init(_ variables: [String]) {
        self.variables = variables
        codes = variables.map { _ in 0 }
        username = variables.firstIndex(of: CSVHeader.usernameColumn)
    }

    var rows: [UnusualRows] {
        // In a column of country codes, `NA` means Namibia.
        let missing = values.filter { column, _ in
            column.word != .notAvailable || column.variable.map { codes[$0] <= 0 } ?? true
        }
        return (Array(missing.values) + headings.values).sorted {
            ($0.first.file, $0.first.line, $0.name) < ($1.first.file, $1.first.line, $1.name)
        }
    }

    /// Skips people who are listed in the campaign file, because they have no cells.
    mutating func count(_ members: [AudienceMember]) {
        for member in members where member.origin.file > 0 {
            if let word = MissingValueWord(member.username.text) {
                add(member.username.text, word, of: nil, member.origin)
            }
            for index in member.values.indices where index != username {
                guard let value = member.values[index] else { continue }
                let word = MissingValueWord(value)
                if let word { add(value, word, of: index, member.origin) }
                if word != .notAvailable { codes[index] += Self.isCode(value) ? 1 : -1 }
            }
        }
    }

    mutating func addHeading(in file: AudienceFile, line: Int) {
        if (headings[file.number]?.count += 1) == nil {
            headings[file.number] = UnusualRows(
                file.format == .csv ? .header : .heading,
                first: AudienceOrigin(file: file.number, line: line))
        }
    }

    private static func isCode(_ value: String) -> Bool {
        value.utf8.count == 2
            && value.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    private mutating func add(
        _ value: String, _ word: MissingValueWord, of variable: Int?, _ origin: AudienceOrigin
    ) {
        let column = Column(file: origin.file, variable: variable, word: word)
        let name = variable.map { variables[$0] } ?? CSVHeader.usernameColumn
        guard var rows = values[column], case .missingValues(_, var words) = rows.kind else {
            values[column] = UnusualRows(
                .missingValues(column: name, words: [value]), first: origin)
            return
        }
        rows.count += 1
        if words.count < Self.mostWords, !words.contains(value) { words.append(value) }
        rows.kind = .missingValues(column: name, words: words)
        values[column] = rows
    }
}

extension UnusualRows {
    fileprivate var name: String {
        if case .missingValues(let column, _) = kind { column } else { "" }
    }
}
