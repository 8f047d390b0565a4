import CampaignCore

/// The cells of a CSV record (RFC 4180, any separator); reused, so that no record allocates.
struct CSVCells {
    struct Cell {
        /// Without quotes and outer blanks.
        var range: Range<Int>
        var hasDoubledQuotes = false
    }

    struct Fault: Error {
        let range: Range<Int>
        let message: DiagnosticMessage
        let help: DiagnosticMessage
    }

    /// For a record whose cells are quoted together.
    static let adviceOnQuotedRows: DiagnosticMessage =
        "The whole row stands in quotes, which make one cell of it; export the table without them, or with quotes around each cell."

    private(set) var cells: [Cell] = []
    private let separator: CSVSeparator

    init(separator: CSVSeparator) {
        self.separator = separator
    }

    /// Throws for a quote in the wrong place.
    mutating func split(_ record: Range<Int>, of bytes: [UInt8]) throws(Fault) {
        cells.removeAll(keepingCapacity: true)
        let end = record.upperBound
        var index = record.lowerBound
        while true {
            let start = Self.afterSpaces(from: index, to: end, of: bytes)
            let isQuoted = start < end && bytes[start] == UInt8(ascii: "\"")
            index =
                isQuoted
                ? try quoted(from: start, to: end, of: bytes)
                : try plain(from: start, to: end, of: bytes)
            guard index < end else { return }
            index += 1
        }
    }

    /// Whether quotes around the last record make one cell of it, as in some exports.
    func areQuotedTogether(_ record: Range<Int>, of bytes: [UInt8]) -> Bool {
        guard cells.count == 1, bytes[record].first(where: { $0 != 0x20 }) == UInt8(ascii: "\"")
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
            let isQuote = byte == UInt8(ascii: "\"")
            isSecond = isQuote && !isSecond
            if !isQuote || isSecond { text.append(byte) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func afterSpaces(from start: Int, to end: Int, of bytes: [UInt8]) -> Int {
        var index = start
        while index < end, bytes[index] == UInt8(ascii: " ") { index += 1 }
        return index
    }

    /// Returns the place of the separator or the record's end, as ``quoted(from:to:of:)`` does.
    private mutating func plain(
        from start: Int, to end: Int, of bytes: [UInt8]
    ) throws(Fault) -> Int {
        let separator = separator.byte
        var index = start
        while index < end, bytes[index] != separator {
            guard bytes[index] != UInt8(ascii: "\"") else {
                let isAfterBlanks = Blanks.trimmed(start..<index, of: bytes).isEmpty
                throw Fault(
                    range: index..<(index + 1), message: "A quote stands inside a cell.",
                    help: isAfterBlanks
                        ? "Remove the blank or invisible character before the quote."
                        : "Put the whole cell in quotes, and write quotes inside it twice.")
            }
            index += 1
        }
        cells.append(Cell(range: Blanks.trimmed(start..<index, of: bytes)))
        return index
    }

    private mutating func quoted(
        from start: Int, to end: Int, of bytes: [UInt8]
    ) throws(Fault) -> Int {
        var cell = Cell(range: start..<start)
        var index = start + 1
        while index < end {
            guard bytes[index] == UInt8(ascii: "\"") else {
                index += 1
                continue
            }
            if index + 1 < end, bytes[index + 1] == UInt8(ascii: "\"") {
                cell.hasDoubledQuotes = true
                index += 2
                continue
            }
            let next = Self.afterSpaces(from: index + 1, to: end, of: bytes)
            guard next == end || bytes[next] == separator.byte else {
                throw Fault(
                    range: next..<(next + 1), message: "There is text after a closing quote.",
                    help:
                        "A \(separator.rawValue) or the line's end must follow; quotes inside a cell are written twice."
                )
            }
            cell.range = Blanks.trimmed((start + 1)..<index, of: bytes)
            cells.append(cell)
            return next
        }
        throw Fault(
            range: start..<(start + 1), message: "The quote that opens here is never closed.",
            help: "A quote inside a quoted cell is written twice.")
    }
}
