/// A stretch of a source text, from its first character up to but not including `end`.
package struct SourceRange: Hashable, Sendable {
    /// The place of the first character.
    package let start: SourcePosition

    /// The place after the last character; equal to `start` where there is no text.
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
