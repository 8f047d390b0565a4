/// A piece of one line, short enough to show.
package struct SourceExcerpt: Hashable, Sendable {
    /// The text, without its line break; bytes that are not UTF-8 are replaced by U+FFFD.
    package let text: String

    /// The column of the first character of `text`: 1 unless the line's start is left out.
    package let startColumn: Int

    /// Whether the line goes on after `text`.
    package let isCutAtEnd: Bool

    /// Whether the line's start is left out.
    package var isCutAtStart: Bool { startColumn > 1 }
}
