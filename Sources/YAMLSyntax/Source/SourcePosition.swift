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
