import CampaignCore

enum CSVSeparator: String, CaseIterable, Sendable {
    case comma, semicolon, tab

    /// Accepts the name or the character itself.
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

    /// Detects the separator: the one that produces the username column; else the most frequent
    /// one; else a comma.
    static func shown(in bytes: ArraySlice<UInt8>, naming column: String) -> CSVSeparator {
        guard let head = firstLine(of: bytes) else { return .comma }
        if let declared = declared(in: head) { return declared }
        let line = Array(head)
        let records = records(in: line)
        return naming(column, in: line)
            ?? records.reduce(records[0]) { $1.cells.count > $0.cells.count ? $1 : $0 }.separator
    }

    /// The separator with which a line contains a column of the given name; nil if there is none.
    static func naming(_ column: String, in line: [UInt8]) -> CSVSeparator? {
        records(in: line).first { record in
            record.problem == nil
                && record.cells.indices.contains {
                    Blanks.column(record.text($0, of: line)) == column
                }
        }?.separator
    }

    private static func records(in line: [UInt8]) -> [CSVRecord] {
        allCases.map { separator in
            var record = CSVRecord(separator: separator)
            _ = record.read(line, from: 0, to: line.count)
            return record
        }
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

    /// Reads a line such as `sep=;`, which tells Excel the separator.
    static func declared(in line: ArraySlice<UInt8>) -> CSVSeparator? {
        let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        guard text.count == 5, text.starts(with: "sep=".utf8) else { return nil }
        return allCases.first { $0.byte == text.last }
    }
}
