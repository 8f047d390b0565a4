import CampaignCore

/// The cells of a CSV record (RFC 4180, with any separator); reused to avoid an allocation per
/// record.
package struct CSVRecord {
    struct Cell {
        /// Excludes the quotes and, unless blanks are kept, leading and trailing blanks.
        var range: Range<Int>
        var hasDoubledQuotes = false
    }

    struct Problem {
        let range: Range<Int>
        let message: DiagnosticMessage
        let help: DiagnosticMessage
    }

    /// The advice if quotes enclose the whole record.
    static let adviceOnQuotedRows: DiagnosticMessage =
        "The whole row is in quotes, which makes it one cell; export the table without these quotes, or with quotes around each cell."
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")

    let separator: CSVSeparator
    private let keepsBlanks: Bool
    private(set) var cells: [Cell] = []
    /// The first misplaced quote; the record is nevertheless read to its end.
    private(set) var problem: Problem?
    /// The position of a quote that is never closed.
    private(set) var openQuote: Int?
    /// The number of line breaks within quotes.
    private(set) var lineBreaks = 0

    init(separator: CSVSeparator, keepsBlanks: Bool = false) {
        self.separator = separator
        self.keepsBlanks = keepsBlanks
    }

    /// The values of one comma-separated line, including blanks.
    package static func texts(of row: [UInt8]) -> [String] {
        var record = CSVRecord(separator: .comma, keepsBlanks: true)
        _ = record.read(row, from: 0, to: row.count)
        return record.cells.indices.map { record.text($0, of: row) }
    }

    /// Reads to the next line feed outside quotes and returns its position; nil if it is missing.
    mutating func read(_ bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        cells.removeAll(keepingCapacity: true)
        (problem, openQuote, lineBreaks) = (nil, nil, 0)
        var index = start
        while true {
            let first = Self.afterSpaces(from: index, to: end, of: bytes)
            if first < end, bytes[first] == Self.quote {
                index = quoted(from: first, to: end, of: bytes)
            } else {
                index = plain(from: keepsBlanks ? index : first, to: end, of: bytes)
            }
            guard index < end else { return nil }
            guard bytes[index] == separator.byte else { return index }
            index += 1
        }
    }

    /// Whether quotes around the whole record make it one cell, as in some exports.
    func areQuotedTogether(_ record: Range<Int>, of bytes: [UInt8]) -> Bool {
        guard cells.count == 1, bytes[record].first(where: { $0 != 0x20 }) == Self.quote
        else { return false }
        return CSVSeparator.allCases.contains { bytes[cells[0].range].contains($0.byte) }
    }

    func text(_ index: Int, of bytes: [UInt8]) -> String {
        let cell = cells[index]
        guard cell.hasDoubledQuotes else {
            return String(decoding: bytes[cell.range], as: UTF8.self)
        }
        var text: [UInt8] = []
        var isSecond = false
        for byte in bytes[cell.range] {
            isSecond = byte == Self.quote && !isSecond
            if byte != Self.quote || isSecond { text.append(byte) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func afterSpaces(from start: Int, to end: Int, of bytes: [UInt8]) -> Int {
        var index = start
        while index < end, bytes[index] == UInt8(ascii: " ") { index += 1 }
        return index
    }

    private mutating func append(
        _ range: Range<Int>, hasDoubledQuotes: Bool = false, of bytes: [UInt8]
    ) {
        let range = keepsBlanks ? range : Blanks.trimmed(range, of: bytes)
        cells.append(Cell(range: range, hasDoubledQuotes: hasDoubledQuotes))
    }

    /// Returns the position of the separator, the line feed or the end, as ``quoted(from:to:of:)``
    /// does.
    private mutating func plain(from start: Int, to end: Int, of bytes: [UInt8]) -> Int {
        let separator = separator.byte
        var index = start
        while index < end, bytes[index] != separator, bytes[index] != Self.lineFeed {
            if bytes[index] == Self.quote, problem == nil {
                let isAfterBlanks = Blanks.trimmed(start..<index, of: bytes).isEmpty
                problem = Problem(
                    range: index..<(index + 1), message: "There is a quote inside a cell.",
                    help: isAfterBlanks
                        ? "Remove the blank or invisible character before the quote."
                        : "Put the whole cell in quotes, and double the quotes inside it.")
            }
            index += 1
        }
        let isLast = index == end || bytes[index] == Self.lineFeed
        let hasReturn = isLast && index > start && bytes[index - 1] == UInt8(ascii: "\r")
        append(start..<(hasReturn ? index - 1 : index), of: bytes)
        return index
    }

    private mutating func quoted(from start: Int, to end: Int, of bytes: [UInt8]) -> Int {
        var hasDoubledQuotes = false
        var index = start + 1
        while index < end {
            if bytes[index] == Self.lineFeed { lineBreaks += 1 }
            guard bytes[index] == Self.quote else {
                index += 1
                continue
            }
            if index + 1 < end, bytes[index + 1] == Self.quote {
                hasDoubledQuotes = true
                index += 2
                continue
            }
            append((start + 1)..<index, hasDoubledQuotes: hasDoubledQuotes, of: bytes)
            var next = Self.afterSpaces(from: index + 1, to: end, of: bytes)
            let isReturn = next < end && bytes[next] == UInt8(ascii: "\r")
            if isReturn, next + 1 == end || bytes[next + 1] == Self.lineFeed { next += 1 }
            guard next < end, bytes[next] != separator.byte, bytes[next] != Self.lineFeed else {
                return next
            }
            if problem == nil {
                problem = Problem(
                    range: next..<(next + 1), message: "There is text after a closing quote.",
                    help:
                        "After a closing quote, a \(separator.rawValue) or the end of the line must follow; double the quotes inside a cell."
                )
            }
            return plain(from: next, to: end, of: bytes)
        }
        openQuote = start
        return end
    }
}
