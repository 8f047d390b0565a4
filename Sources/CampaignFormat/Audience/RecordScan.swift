/// A look for the end of a record.
struct RecordScan {
    /// The record's length; nil when its end was not found.
    private(set) var length: Int?
    /// Whether a quoted cell is open at the end.
    private(set) var isInQuotes = false
    /// Where the last quoted cell begins.
    private(set) var lastQuote: Int?
    /// Line breaks within quotes.
    private(set) var lineBreaks = 0
    /// Whether there is a byte that plain ASCII text does not have.
    private(set) var needsCheck = false
    private var lastClosed = -1

    /// Looks at bytes.
    ///
    /// - Parameters:
    ///   - bytes: the buffer.
    ///   - start: where the record begins.
    ///   - end: where the filled part of the buffer ends.
    ///   - hasQuotes: whether a cell that begins with `"` may hold line breaks.
    init(_ bytes: [UInt8], from start: Int, to end: Int, hasQuotes: Bool) {
        var index = start
        var before = UInt8(ascii: ",")
        while index < end {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") {
                guard isInQuotes else {
                    length = index - start
                    return
                }
                lineBreaks += 1
            } else if byte >= 0x80 || byte == 0 {
                needsCheck = true
            } else if hasQuotes, byte == UInt8(ascii: "\"") {
                quote(at: index, after: before)
            }
            before = byte
            index += 1
        }
    }

    /// A quote opens a cell at its start, closes it, or, right behind the one that closed it, belongs to its text.
    private mutating func quote(at index: Int, after before: UInt8) {
        if isInQuotes {
            isInQuotes = false
            lastClosed = index
        } else if before == UInt8(ascii: ",") {
            isInQuotes = true
            lastQuote = index
        } else if lastClosed == index - 1 {
            isInQuotes = true
        }
    }
}
