import CampaignCore

/// What stands between the cells of a table.
enum CSVSeparator: String, CaseIterable, Sendable {
    case comma, semicolon, tab

    /// Reads one as an entry writes it: its name or itself.
    static func parse(_ text: String) -> CSVSeparator? {
        CSVSeparator(rawValue: text) ?? allCases.first { text == String(UnicodeScalar($0.byte)) }
    }

    /// The byte itself.
    var byte: UInt8 {
        switch self {
        case .comma: UInt8(ascii: ",")
        case .semicolon: UInt8(ascii: ";")
        case .tab: UInt8(ascii: "\t")
        }
    }

    /// The separator that the first line of a table shows.
    ///
    /// It is the one that leaves a cell with the username column's name, else the one that stands there most often.
    ///
    /// - Returns: a comma where nothing speaks for another one.
    static func shown(in bytes: ArraySlice<UInt8>, naming column: String) -> CSVSeparator {
        guard let line = firstLine(of: bytes) else { return .comma }
        if let declared = declared(in: line) { return declared }
        let naming = allCases.first { separator in
            separator.cells(of: line).contains {
                Blanks.column(String(decoding: $0, as: UTF8.self)) == column
            }
        }
        if let naming { return naming }
        let counts = allCases.map { (separator: $0, count: $0.cells(of: line).count) }
        return counts.reduce(counts[0]) { $1.count > $0.count ? $1 : $0 }.separator
    }

    /// The first line that is not empty.
    private static func firstLine(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = bytes
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            if !Blanks.fill(line) { return line }
            rest = rest[line.endIndex...].dropFirst()
        }
        return nil
    }

    /// The separator of a line such as `sep=;`, by which Excel tells itself.
    static func declared(in line: ArraySlice<UInt8>) -> CSVSeparator? {
        let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        guard text.count == 5, text.starts(with: "sep=".utf8) else { return nil }
        return allCases.first { $0.byte == text.last }
    }

    /// The cells of a line, roughly: what stands in quotes is not divided, and loses its quotes.
    private func cells(of line: ArraySlice<UInt8>) -> [[UInt8]] {
        var cells: [[UInt8]] = [[]]
        var isInQuotes = false
        for character in line where character != UInt8(ascii: "\r") {
            if character == UInt8(ascii: "\"") {
                isInQuotes.toggle()
            } else if character == byte, !isInQuotes {
                cells.append([])
            } else {
                cells[cells.count - 1].append(character)
            }
        }
        return cells
    }
}
