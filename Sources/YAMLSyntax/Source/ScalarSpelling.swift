/// The bytes that spell each character of a scalar that is not white space.
struct ScalarSpelling {
    private(set) var characters: [Range<Int>] = []
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int

    /// Reads a scalar.
    init(of range: SourceRange, style: YAMLScalar.Style, in bytes: [UInt8]) {
        self.bytes = bytes
        offset = range.start.offset
        end = min(range.end.offset, bytes.count)
        switch style {
        case .plain:
            while offset < end { takeCharacter() }
        case .singleQuoted:
            offset += 1
            while offset < end - 1 {
                if bytes.has("''", at: offset) { take(2) } else { takeCharacter() }
            }
        case .doubleQuoted:
            offset += 1
            while offset < end - 1 {
                if bytes[offset].is("\\") { takeEscape() } else { takeCharacter() }
            }
        case .literal, .folded:
            while offset < end, !bytes[offset].isLineBreak { offset += 1 }
            while offset < end { takeCharacter() }
        }
    }

    private mutating func takeCharacter() {
        guard !bytes[offset].isWhitespace else {
            offset += 1
            return
        }
        var length = 1
        while offset + length < end, bytes[offset + length].isUTF8Continuation { length += 1 }
        take(length)
    }

    private mutating func take(_ length: Int) {
        characters.append(offset..<offset + length)
        offset += length
    }

    private mutating func takeEscape() {
        guard offset + 1 < end else { return take(1) }
        let digits =
            switch bytes[offset + 1] {
            case UInt8(ascii: "x"): 2
            case UInt8(ascii: "u"): 4
            case UInt8(ascii: "U"): 8
            default: 0
            }
        let code = bytes[offset + 1..<min(offset + 2 + digits, end)]
        if isWhitespace(code) { offset += 1 + code.count } else { take(1 + code.count) }
    }

    /// Whether an escape, given without its backslash, means a space, tab or line break.
    private func isWhitespace(_ code: ArraySlice<UInt8>) -> Bool {
        guard let first = code.first else { return true }
        guard code.count > 1 else {
            return first.isWhitespace || first.is("t") || first.is("n") || first.is("r")
        }
        let value = UInt32(String(decoding: code.dropFirst(), as: UTF8.self), radix: 16)
        return value.flatMap(Unicode.Scalar.init)?.isFoldable ?? false
    }
}
