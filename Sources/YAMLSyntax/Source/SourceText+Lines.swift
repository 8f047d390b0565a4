extension SourceText {
    /// The place after the last byte that is no whitespace, between two offsets.
    func endOfText(before offset: Int, downTo start: Int) -> Int {
        var end = offset
        while end > start, bytes[end - 1].isWhitespace { end -= 1 }
        return end
    }

    /// The first byte from an offset on that is neither whitespace nor in a comment, or the end.
    func startOfText(from offset: Int) -> Int {
        var start = offset
        while start < bytes.count {
            if bytes[start].isWhitespace {
                start += 1
            } else if bytes[start].is("#") {
                while start < bytes.count, !bytes[start].isLineBreak { start += 1 }
            } else {
                break
            }
        }
        return start
    }

    /// The byte at which the line of an offset starts.
    func startOfLine(at offset: Int) -> Int {
        var start = offset
        while start > contentStart, !bytes[start - 1].isLineBreak { start -= 1 }
        return start
    }

    /// The byte after the last of the line of an offset, without its line break.
    func endOfLine(at offset: Int) -> Int {
        var end = offset
        while end < bytes.count, !bytes[end].isLineBreak { end += 1 }
        return end
    }

    /// Whether a line that starts at an offset is a document marker, `---` or `...`.
    func isDocumentMarker(_ marker: StaticString, at offset: Int) -> Bool {
        guard bytes.has(marker, at: offset), startOfLine(at: offset) == offset else { return false }
        let next = offset + 3
        return next >= bytes.count || bytes[next].isWhitespace
    }
}
