import CampaignCore

/// Counts rows of audience files that are probably mistakes, while the files are read.
struct UnusualRowCount: Sendable {
    private struct Column: Hashable {
        let file: Int
        let variable: Int?
    }

    private static let mostWords = 3

    private let variables: [String]
    /// The variable with the username.
    private let username: Int?
    private var values: [Column: UnusualRows] = [:]
    private var headings: [Int: UnusualRows] = [:]

    init(_ variables: [String]) {
        self.variables = variables
        username = variables.firstIndex(of: CSVHeader.usernameColumn)
    }

    var rows: [UnusualRows] {
        (Array(values.values) + headings.values).sorted {
            ($0.first.file, $0.first.line, $0.name) < ($1.first.file, $1.first.line, $1.name)
        }
    }

    /// People named in the campaign file have no cells.
    mutating func look(at members: [AudienceMember]) {
        for member in members where member.origin.file > 0 {
            if MissingValueWord(member.username.text) != nil {
                add(member.username.text, of: nil, member.origin)
            }
            for index in member.values.indices where index != username {
                if let value = member.values[index], MissingValueWord(value) != nil {
                    add(value, of: index, member.origin)
                }
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

    private mutating func add(_ value: String, of variable: Int?, _ origin: AudienceOrigin) {
        let column = Column(file: origin.file, variable: variable)
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
