/// The cells of one CSV record (RFC 4180, or the same with another separator); one value is used for all records, so that nothing is allocated a record.
struct CSVCells {
    struct Cell {
        /// Without its quotes.
        var range: Range<Int>
        /// Whether there are doubled quotes in it.
        var hasDoubledQuotes: Bool
    }

    /// Why a record is not CSV.
    struct Fault: Error {
        let range: Range<Int>
        let message: DiagnosticMessage
        let help: DiagnosticMessage
    }

    /// What to do about a record whose cells are quoted together.
    static let adviceOnQuotedRows: DiagnosticMessage =
        "The whole row stands in quotes, which make one cell of it; export the table without them, or with quotes around each cell."

    private(set) var cells: [Cell] = []
    private let separator: CSVSeparator

    /// - Parameter separator: what stands between cells.
    init(separator: CSVSeparator) {
        self.separator = separator
    }

    /// Finds the cells.
    ///
    /// - Parameters:
    ///   - record: where the record stands.
    ///   - bytes: the buffer it stands in.
    /// - Throws: ``Fault`` for a quote in the wrong place.
    mutating func split(_ record: Range<Int>, of bytes: [UInt8]) throws(Fault) {
        cells.removeAll(keepingCapacity: true)
        var index = record.lowerBound
        while true {
            let isQuoted = index < record.upperBound && bytes[index] == UInt8(ascii: "\"")
            let cell =
                isQuoted
                ? try quoted(from: index, to: record.upperBound, of: bytes)
                : try plain(from: index, to: record.upperBound, of: bytes)
            cells.append(cell)
            index = cell.range.upperBound + (isQuoted ? 1 : 0)
            guard index < record.upperBound else { return }
            index += 1
        }
    }

    /// Whether quotes around a whole record make one cell of its cells, as some programs export tables.
    ///
    /// - Parameters:
    ///   - record: the one that was divided last.
    ///   - bytes: the buffer it stands in.
    func areQuotedTogether(_ record: Range<Int>, of bytes: [UInt8]) -> Bool {
        guard cells.count == 1, cells[0].range.lowerBound > record.lowerBound else { return false }
        return CSVSeparator.allCases.contains { bytes[cells[0].range].contains($0.byte) }
    }

    /// A cell's text.
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

    private func plain(from start: Int, to end: Int, of bytes: [UInt8]) throws(Fault) -> Cell {
        let separator = separator.byte
        var index = start
        while index < end, bytes[index] != separator {
            guard bytes[index] != UInt8(ascii: "\"") else {
                throw Fault(
                    range: index..<(index + 1), message: "A quote stands inside a cell.",
                    help: "Put the whole cell in quotes, and write quotes inside it twice.")
            }
            index += 1
        }
        return Cell(range: start..<index, hasDoubledQuotes: false)
    }

    private func quoted(from start: Int, to end: Int, of bytes: [UInt8]) throws(Fault) -> Cell {
        var index = start + 1
        var hasDoubledQuotes = false
        while index < end {
            guard bytes[index] == UInt8(ascii: "\"") else {
                index += 1
                continue
            }
            let next = index + 1
            if next == end || bytes[next] == separator.byte {
                return Cell(range: (start + 1)..<index, hasDoubledQuotes: hasDoubledQuotes)
            }
            guard bytes[next] == UInt8(ascii: "\"") else {
                throw Fault(
                    range: next..<(next + 1), message: "There is text behind a closing quote.",
                    help:
                        "A \(separator.rawValue) or the line's end must follow; quotes inside a cell are written twice."
                )
            }
            hasDoubledQuotes = true
            index += 2
        }
        throw Fault(
            range: start..<(start + 1), message: "The quote that opens here is never closed.",
            help: "A quote inside a quoted cell is written twice.")
    }
}
