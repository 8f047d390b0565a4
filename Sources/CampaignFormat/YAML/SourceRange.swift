/// A part of a source text, up to but not including `end`.
package struct SourceRange: Hashable, Sendable {
    package let start: SourcePosition

    /// The place after the last character; equal to `start` for a single place.
    package let end: SourcePosition

    package var isEmpty: Bool { start == end }

    /// The end must not be before the start.
    package init(start: SourcePosition, end: SourcePosition) {
        self.start = start
        self.end = max(start, end)
    }
}

/// A place in a source text below 4 GiB; it takes only 12 bytes, because a large file has millions
/// of places.
package struct SourcePosition: Hashable, Comparable, Sendable {
    private let storedLine: UInt32
    private let storedColumn: UInt32
    private let storedOffset: UInt32

    /// The line, counted from 1; LF, CRLF and a lone CR end a line.
    package var line: Int { Int(storedLine) }

    /// The column, counted from 1, in Unicode scalars; a byte order mark has no column.
    package var column: Int { Int(storedColumn) }

    /// The offset in bytes, counted from 0.
    package var offset: Int { Int(storedOffset) }

    package init(line: Int, column: Int, offset: Int) {
        storedLine = UInt32(clamping: line)
        storedColumn = UInt32(clamping: column)
        storedOffset = UInt32(clamping: offset)
    }

    package static let start = SourcePosition(line: 1, column: 1, offset: 0)

    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        left.storedOffset < right.storedOffset
    }
}
