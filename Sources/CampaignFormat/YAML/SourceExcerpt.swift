/// A short piece of one line.
package struct SourceExcerpt: Hashable, Sendable {
    /// The text without its line break; bytes that are not UTF-8 become U+FFFD.
    package let text: String

    /// The column of the first character of `text`: 1 unless the line's start is left out.
    package let startColumn: Int

    package let isCutAtEnd: Bool
}

extension SourceText {
    /// A line, counted from 1, without its line break, cut to a length; nil if there are fewer
    /// lines.
    package func line(_ number: Int, maximumLength: Int = 500) -> String? {
        offset(ofLine: number).map { text(from: $0, maximumLength: maximumLength).text }
    }

    /// The line around a place; only a part of a long line, so that a line of many megabytes costs
    /// no more than any other.
    package func excerpt(around position: SourcePosition, maximumLength: Int = 160)
        -> SourceExcerpt
    {
        let place = min(position.offset, bytes.count)
        let before = distanceToLineStart(from: place, atMost: maximumLength)
        var start = before.lineStart
        if start == nil || before.characters > maximumLength * 3 / 4 {
            start = step(back: min(before.characters, maximumLength / 2), from: place)
        }
        let first = start ?? place
        let piece = text(from: first, maximumLength: maximumLength)
        return SourceExcerpt(
            text: piece.text, startColumn: self.position(atByte: first).column,
            isCutAtEnd: piece.isCut)
    }

    private func text(from start: Int, maximumLength: Int) -> (text: String, isCut: Bool) {
        var end = start
        var characters = 0
        while end < bytes.count, !bytes[end].isLineBreak {
            if !bytes[end].isUTF8Continuation {
                guard characters < maximumLength else { break }
                characters += 1
            }
            end += 1
        }
        let isCut = end < bytes.count && !bytes[end].isLineBreak
        return (String(decoding: bytes[start..<end], as: UTF8.self), isCut)
    }

    private func distanceToLineStart(from place: Int, atMost limit: Int)
        -> (characters: Int, lineStart: Int?)
    {
        var offset = place
        var characters = 0
        while offset > contentStart, !bytes[offset - 1].isLineBreak {
            guard characters < limit else { return (characters, nil) }
            offset -= 1
            if !bytes[offset].isUTF8Continuation { characters += 1 }
        }
        return (characters, offset)
    }

    private func step(back characters: Int, from place: Int) -> Int {
        var offset = place
        var left = characters
        while offset > contentStart, left > 0 {
            offset -= 1
            if !bytes[offset].isUTF8Continuation { left -= 1 }
        }
        return offset
    }
}
