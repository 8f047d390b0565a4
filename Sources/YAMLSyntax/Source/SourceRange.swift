/// A stretch of a source text, from its first character up to but not including `end`.
package struct SourceRange: Hashable, Sendable {
    /// The place of the first character.
    package let start: SourcePosition

    /// The place after the last character; equal to `start` where there is not a text.
    package let end: SourcePosition

    /// Whether the range holds no text and only marks a place.
    package var isEmpty: Bool { start == end }

    /// Spans two places.
    ///
    /// - Parameters:
    ///   - start: the place of the first character.
    ///   - end: the place after the last character, not before `start`.
    package init(start: SourcePosition, end: SourcePosition) {
        self.start = start
        self.end = max(start, end)
    }
}

/// A place in a source text.
///
/// Stored in 12 bytes, because a large file has millions of them; texts are below 4 GiB.
package struct SourcePosition: Hashable, Comparable, Sendable {
    private let storedLine: UInt32
    private let storedColumn: UInt32
    private let storedOffset: UInt32

    /// The line, from 1; LF, CRLF and a lone CR end a line.
    package var line: Int { Int(storedLine) }

    /// The column, from 1, in characters (Unicode scalars); a byte order mark has no column.
    package var column: Int { Int(storedColumn) }

    /// The number of bytes before this place, from 0.
    package var offset: Int { Int(storedOffset) }

    /// Names a place.
    ///
    /// - Parameters:
    ///   - line: the line, from 1.
    ///   - column: the column in Unicode scalars, from 1.
    ///   - offset: the number of bytes before it, from 0.
    package init(line: Int, column: Int, offset: Int) {
        storedLine = UInt32(clamping: line)
        storedColumn = UInt32(clamping: column)
        storedOffset = UInt32(clamping: offset)
    }

    /// The start of every text.
    package static let start = SourcePosition(line: 1, column: 1, offset: 0)

    /// Orders by place in the file.
    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        left.storedOffset < right.storedOffset
    }
}
