/// Removes blanks and invisible characters around names and values, which are never intended.
package enum Blanks {
    /// Whether a character is a Unicode blank, or an invisible character that exports leave behind.
    ///
    /// This excludes variation selectors and tags, which may be the end of an emoji, and marks that
    /// open or close a writing direction, because their other half may be inside the text.
    package static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isBlank(UInt8(scalar.value)) }
        switch scalar.value {
        // Unicode's White_Space property.
        case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
            return true
        // Soft hyphen, joiners, direction marks, word joiner and similar characters, byte order
        // mark.
        case 0xAD, 0x34F, 0x61C, 0x180E, 0x200B...0x200F, 0x2060...0x2064, 0xFEFF: return true
        default: return false
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    package static func trimmed(_ part: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
        var (start, end) = (part.lowerBound, part.upperBound)
        // Most cells begin and end with an ASCII letter, so nothing has to be removed.
        while start < end, !isVisible(bytes[start]) {
            let next = min(end, start + length(from: bytes[start]))
            guard isBlank(bytes[start..<next]) else { break }
            start = next
        }
        while start < end, !isVisible(bytes[end - 1]) {
            var before = end - 1
            while before > start, bytes[before] & 0xC0 == 0x80 { before -= 1 }
            guard isBlank(bytes[before..<end]) else { break }
            end = before
        }
        return start..<end
    }

    package static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !isBlank($0) }),
            let end = scalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(scalars[start...end])
    }

    /// A column's name for comparison: trimmed, with single spaces inside.
    package static func column(_ name: String) -> String {
        let words = name.unicodeScalars.split { $0.properties.isWhitespace }
        return words.map { trimmed(String($0)) }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Whether a line has only blanks, separators and quotes, like an empty spreadsheet row.
    package static func fill(_ line: ArraySlice<UInt8>) -> Bool {
        var index = line.startIndex
        while index < line.endIndex {
            let byte = line[index]
            let next = min(line.endIndex, index + length(from: byte))
            guard isMark(byte) || !isVisible(byte) && isBlank(line[index..<next]) else {
                return false
            }
            index = next
        }
        return true
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\"")
    }

    private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x80 }

    /// The length of a UTF-8 character by its first byte (RFC 3629, section 3).
    private static func length(from first: UInt8) -> Int {
        switch first {
        case ..<0xC0: 1
        case ..<0xE0: 2
        case ..<0xF0: 3
        default: 4
        }
    }

    private static func isBlank(_ character: ArraySlice<UInt8>) -> Bool {
        guard let first = character.first else { return false }
        guard first >= 0x80 else { return isBlank(first) }
        return String(decoding: character, as: UTF8.self).unicodeScalars.allSatisfy(isBlank)
    }
}
