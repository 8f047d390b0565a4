/// The bytes of a file with lookups of places and lines.
///
/// A checkpoint every 128 bytes keeps lookups fast even in one line of many megabytes, for an
/// eighth of the file's size in memory.
package struct SourceText: Sendable {
    /// The bytes, including a byte order mark; they may be invalid UTF-8.
    package let bytes: [UInt8]

    private let checkpoints: [SourceCursor]
    private let isASCII: Bool

    private static let stride = 128
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The size of the bytes must be below 4 GiB.
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

    /// The length of a byte order mark: 3 or 0.
    var contentStart: Int { Self.startsWithByteOrderMark(bytes) ? Self.byteOrderMark.count : 0 }

    static func startsWithByteOrderMark(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: byteOrderMark)
    }

    /// The place at an offset; for an offset past the end, the end.
    package func position(atByte offset: Int) -> SourcePosition {
        cursor(atByte: offset, near: nil).position
    }

    package func range(ofBytes range: Range<Int>) -> SourceRange {
        self.range(ofBytes: range, near: nil)
    }

    /// A cursor shortly before the range makes the search faster.
    func range(ofBytes range: Range<Int>, near other: SourceCursor?) -> SourceRange {
        let start = cursor(atByte: range.lowerBound, near: other)
        let end = cursor(atByte: range.upperBound, near: start)
        return SourceRange(start: start.position, end: end.position)
    }

    /// The offset of a Unicode scalar, counted from 0 and including a byte order mark; the end of
    /// the text if there are fewer scalars.
    func offset(ofScalar number: Int) -> Int {
        isASCII ? min(number, bytes.count) : Int(cursor(atScalar: number, near: nil).offset)
    }

    /// A cursor shortly before the place makes the search faster.
    func cursor(atScalar number: Int, near other: SourceCursor?) -> SourceCursor {
        guard !isASCII else { return cursor(atByte: number, near: other) }
        let isNear =
            other.map { (0..<Self.stride).contains(number - Int($0.scalars)) } ?? false
        var cursor =
            (isNear ? other : nil) ?? lastCheckpoint { Int($0.scalars) <= number }
        cursor.advance(toScalar: number, in: bytes)
        return cursor
    }

    /// The byte at which a line, counted from 1, starts.
    func offset(ofLine number: Int) -> Int? {
        guard number > 1 else { return number == 1 ? contentStart : nil }
        var cursor = lastCheckpoint { Int($0.line) < number }
        cursor.advance(toLine: number, in: bytes)
        return Int(cursor.line) == number ? Int(cursor.offset) : nil
    }

    /// A cursor shortly before the place makes the search faster.
    func cursor(atByte offset: Int, near other: SourceCursor?) -> SourceCursor {
        let isNear = other.map { (0..<Self.stride).contains(offset - Int($0.offset)) } ?? false
        var cursor =
            (isNear ? other : nil)
            ?? checkpoints[min(max(offset, 0), bytes.count) / Self.stride]
        cursor.advance(toByte: offset, in: bytes)
        return cursor
    }

    /// The last checkpoint that satisfies a condition that is true up to a certain point and false
    /// after it.
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

extension SourceText {
    /// The place after the last byte between two offsets that is not white space.
    func endOfText(before offset: Int, downTo start: Int) -> Int {
        var end = offset
        while end > start, bytes[end - 1].isWhitespace { end -= 1 }
        return end
    }

    /// The first byte that is neither white space nor in a comment, or the end.
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

    func startOfLine(at offset: Int) -> Int {
        var start = offset
        while start > contentStart, !bytes[start - 1].isLineBreak { start -= 1 }
        return start
    }

    /// The end of the line, before its line break.
    func endOfLine(at offset: Int) -> Int {
        var end = offset
        while end < bytes.count, !bytes[end].isLineBreak { end += 1 }
        return end
    }

    /// Whether the line at an offset is a document marker, `---` or `...`.
    func isDocumentMarker(_ marker: StaticString, at offset: Int) -> Bool {
        guard bytes.has(marker, at: offset), startOfLine(at: offset) == offset else { return false }
        let next = offset + 3
        return next >= bytes.count || bytes[next].isWhitespace
    }
}

extension SourceText {
    /// The keys at the beginning of lines, including repeated ones, for text that is not readable
    /// as YAML.
    package func lineBeginnings(among keys: [String]) -> some Sequence<String> {
        let wanted = keys.map { ($0, Array($0.utf8)) }
        var start = contentStart
        return AnyIterator {
            while start < bytes.count {
                let rest = bytes[start...]
                start = min(endOfLine(at: start) + 1, bytes.count)
                let key = wanted.first { _, letters in
                    guard rest.starts(with: letters) else { return false }
                    let colon = rest.startIndex + letters.count
                    guard colon < bytes.count, bytes[colon].is(":") else { return false }
                    return colon + 1 == bytes.count || bytes[colon + 1].isWhitespace
                }
                if let key { return key.0 }
            }
            return nil
        }
    }
}

extension SourceText {
    /// The comment after a value, on its last line, without trailing blanks.
    package func comment(after range: SourceRange) -> SourceRange? {
        var start = range.end.offset
        while start < bytes.count, bytes[start].isBlank { start += 1 }
        guard start > range.end.offset, bytes.has("#", at: start) else { return nil }
        let end = endOfText(before: endOfLine(at: start), downTo: start)
        return self.range(ofBytes: start..<end)
    }

    /// The first character after the first line of a range that is not a blank; nil if the range
    /// ends on that line.
    package func secondLine(of range: SourceRange) -> SourceRange? {
        let end = min(range.end.offset, bytes.count)
        var start = endOfLine(at: range.start.offset)
        while start < end, bytes[start].isWhitespace { start += 1 }
        return start < end ? self.range(ofBytes: start..<start + 1) : nil
    }

    /// The anchor before a value, on the line where the value begins, if no alias refers to it.
    ///
    /// - Parameter range: the range of the value.
    /// - Returns: the anchor with its `&`; nil if the value has no anchor or an alias uses it.
    package func unusedAnchor(before range: SourceRange) -> SourceRange? {
        var end = range.start.offset
        while end > 0, bytes[end - 1].isBlank { end -= 1 }
        var start = end
        while start > 0, bytes[start - 1].isNameCharacter { start -= 1 }
        guard start < end, end < range.start.offset, start > 0, bytes[start - 1].is("&") else {
            return nil
        }
        let name = bytes[start..<end]
        let isNamed = bytes.indices.contains { index in
            bytes[index].is("*") && bytes[(index + 1)...].starts(with: name)
        }
        return isNamed ? nil : self.range(ofBytes: start - 1..<end)
    }

    package func text(in range: SourceRange) -> String {
        let end = min(range.end.offset, bytes.count)
        return String(decoding: bytes[min(range.start.offset, end)..<end], as: UTF8.self)
    }
}
