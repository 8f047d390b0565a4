extension SourceText {
    /// The comment behind a value, on the line on which the value ends.
    ///
    /// - Parameter range: where the value stands.
    /// - Returns: the comment from its `#` on, without the blanks at its end; nil where there is none.
    package func comment(after range: SourceRange) -> SourceRange? {
        var start = range.end.offset
        while start < bytes.count, bytes[start].isBlank { start += 1 }
        guard start > range.end.offset, bytes.has("#", at: start) else { return nil }
        let end = endOfText(before: endOfLine(at: start), downTo: start)
        return self.range(ofBytes: start..<end)
    }

    /// The text of a stretch.
    package func text(in range: SourceRange) -> String {
        let end = min(range.end.offset, bytes.count)
        return String(decoding: bytes[min(range.start.offset, end)..<end], as: UTF8.self)
    }
}
