/// The bytes of a file, able to say where a byte stands and what a line says.
///
/// A checkpoint every 128 bytes makes every lookup take the same short time, also in a file that
/// is one line of many megabytes, for an eighth of the file's size in memory.
package struct SourceText: Sendable {
    /// The file's bytes, byte order mark included; they need not be valid UTF-8.
    package let bytes: [UInt8]

    private let checkpoints: [SourceCursor]
    private let isASCII: Bool

    private static let stride = 128
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Takes the bytes of a file and notes where its lines are.
    ///
    /// - Parameter bytes: the content, below 4 GiB.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var cursor = SourceCursor(startOf: bytes)
        var checkpoints: [SourceCursor] = []
        checkpoints.reserveCapacity(bytes.count / Self.stride + 1)
        checkpoints.append(cursor)
        for target in Swift.stride(from: Self.stride, through: bytes.count, by: Self.stride) {
            cursor.advance(toByte: target, in: bytes)
            checkpoints.append(cursor)
        }
        cursor.advance(toByte: bytes.count, in: bytes)
        self.checkpoints = checkpoints
        isASCII = Int(cursor.scalars) == bytes.count
    }

    /// The number of bytes that a byte order mark takes: 3 or 0.
    var contentStart: Int { Self.startsWithByteOrderMark(bytes) ? Self.byteOrderMark.count : 0 }

    static func startsWithByteOrderMark(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: byteOrderMark)
    }

    /// The place of a byte.
    ///
    /// - Parameter offset: the byte, from 0; past the end it is the end.
    /// - Returns: its line and column.
    package func position(atByte offset: Int) -> SourcePosition {
        cursor(atByte: offset, near: nil).position
    }

    /// The places of a stretch of bytes.
    ///
    /// - Parameter range: byte offsets, from 0.
    /// - Returns: the lines and columns of both ends.
    package func range(ofBytes range: Range<Int>) -> SourceRange {
        self.range(ofBytes: range, near: nil)
    }

    /// The places of a stretch of bytes, found faster with a cursor that stands close before it.
    func range(ofBytes range: Range<Int>, near other: SourceCursor?) -> SourceRange {
        let start = cursor(atByte: range.lowerBound, near: other)
        let end = cursor(atByte: range.upperBound, near: start)
        return SourceRange(start: start.position, end: end.position)
    }

    /// The byte at which the Unicode scalar with this number, from 0, starts, or the text's end.
    ///
    /// A byte order mark counts as a scalar.
    func offset(ofScalar number: Int) -> Int {
        isASCII ? min(number, bytes.count) : Int(cursor(atScalar: number, near: nil).offset)
    }

    /// A cursor at a Unicode scalar, found faster with one that stands close before it.
    func cursor(atScalar number: Int, near other: SourceCursor?) -> SourceCursor {
        guard !isASCII else { return cursor(atByte: number, near: other) }
        let isNear =
            other.map { (0..<Self.stride).contains(number - Int($0.scalars)) } ?? false
        var cursor =
            (isNear ? other : nil) ?? lastCheckpoint { Int($0.scalars) <= number }
        cursor.advance(toScalar: number, in: bytes)
        return cursor
    }

    /// The byte at which a line starts, from 1, or nil if the text has fewer lines.
    func offset(ofLine number: Int) -> Int? {
        guard number > 1 else { return number == 1 ? contentStart : nil }
        var cursor = lastCheckpoint { Int($0.line) < number }
        cursor.advance(toLine: number, in: bytes)
        return Int(cursor.line) == number ? Int(cursor.offset) : nil
    }

    /// A cursor at a byte, found faster with one that stands close before it.
    func cursor(atByte offset: Int, near other: SourceCursor?) -> SourceCursor {
        let isNear = other.map { (0..<Self.stride).contains(offset - Int($0.offset)) } ?? false
        var cursor =
            (isNear ? other : nil)
            ?? checkpoints[min(max(offset, 0), bytes.count) / Self.stride]
        cursor.advance(toByte: offset, in: bytes)
        return cursor
    }

    /// The last checkpoint that satisfies a condition which holds up to some point and not after.
    private func lastCheckpoint(where holds: (SourceCursor) -> Bool) -> SourceCursor {
        var low = 0
        var high = checkpoints.count
        while low + 1 < high {
            let middle = (low + high) / 2
            if holds(checkpoints[middle]) { low = middle } else { high = middle }
        }
        return checkpoints[low]
    }
}
