import CampaignCore

enum CSVSeparator: String, CaseIterable, Sendable {
    case comma, semicolon, tab

    /// By its name or as the character itself.
    static func parse(_ text: String) -> CSVSeparator? {
        CSVSeparator(rawValue: text) ?? allCases.first { text == String(UnicodeScalar($0.byte)) }
    }

    var byte: UInt8 {
        switch self {
        case .comma: UInt8(ascii: ",")
        case .semicolon: UInt8(ascii: ";")
        case .tab: UInt8(ascii: "\t")
        }
    }

    /// The one that yields the username column, else the most frequent one, else a comma.
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

    /// Skips empty lines.
    private static func firstLine(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = bytes
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            if !Blanks.fill(line) { return line }
            rest = rest[line.endIndex...].dropFirst()
        }
        return nil
    }

    /// From a line such as `sep=;`, with which Excel names it.
    static func declared(in line: ArraySlice<UInt8>) -> CSVSeparator? {
        let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        guard text.count == 5, text.starts(with: "sep=".utf8) else { return nil }
        return allCases.first { $0.byte == text.last }
    }

    /// Roughly: quoted text is not split, and loses its quotes.
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
