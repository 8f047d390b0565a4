/// A place that moves through bytes and counts lines, columns and Unicode scalars.
struct SourceCursor: Sendable {
    private(set) var offset: UInt32 = 0
    private(set) var scalars: UInt32 = 0
    private(set) var line: UInt32 = 1
    private(set) var column: UInt32 = 1

    /// Starts after a byte order mark, if there is one.
    init(startOf bytes: [UInt8]) {
        guard SourceText.startsWithByteOrderMark(bytes) else { return }
        offset = UInt32(SourceText.byteOrderMark.count)
        scalars = 1
    }

    var position: SourcePosition {
        SourcePosition(line: Int(line), column: Int(column), offset: Int(offset))
    }

    /// Moves over one byte; must not be at the end.
    mutating func advance(in bytes: [UInt8]) {
        let byte = bytes[Int(offset)]
        offset += 1
        guard !byte.isUTF8Continuation else { return }
        scalars += 1
        if byte == .lineFeed || (byte == .carriageReturn && !bytes.has(.lineFeed, at: Int(offset)))
        {
            line += 1
            column = 1
        } else {
            column += 1
        }
    }

    mutating func advance(toByte target: Int, in bytes: [UInt8]) {
        let stop = min(target, bytes.count)
        while Int(offset) < stop { advance(in: bytes) }
    }

    /// Moves to the first byte of a Unicode scalar, counted from 0.
    mutating func advance(toScalar target: Int, in bytes: [UInt8]) {
        while Int(offset) < bytes.count,
            Int(scalars) < target || bytes[Int(offset)].isUTF8Continuation
        {
            advance(in: bytes)
        }
    }

    mutating func advance(toLine target: Int, in bytes: [UInt8]) {
        while Int(offset) < bytes.count, Int(line) < target { advance(in: bytes) }
    }
}
