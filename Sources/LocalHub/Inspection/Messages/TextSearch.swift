/// Text to search for in user names and sent data, case-insensitively.
struct TextSearch: Sendable {
    /// The text in lower case.
    private let part: String
    private let bytes: [UInt8]

    init(_ part: String) {
        self.part = part.lowercased()
        bytes = Array(self.part.utf8)
    }

    func matches(_ text: String) -> Bool {
        hasBytes(Array(text.utf8))
            || text.utf8.contains { $0 >= 0x80 } && text.lowercased().contains(part)
    }

    /// Whether a body contains this text, either as sent or after decoding JSON escapes.
    func matches(_ body: [UInt8]) -> Bool {
        if hasBytes(body) { return true }
        // Comparing bytes is much faster than decoding the body, and it is sufficient in most
        // cases.
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        guard !isASCII || body.contains(UInt8(ascii: "\\")) else { return false }
        return Self.unescaped(body).lowercased().contains(part)
    }

    private func hasBytes(_ text: [UInt8]) -> Bool {
        guard let first = bytes.first, text.count >= bytes.count else { return false }
        let (text, part) = (text.span, bytes.span)
        for start in 0...text.count - part.count where Self.lowercased(text[start]) == first {
            var length = 1
            while length < part.count, Self.lowercased(text[start + length]) == part[length] {
                length += 1
            }
            if length == part.count { return true }
        }
        return false
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Decodes JSON escapes; leaves invalid escapes unchanged.
    private static func unescaped(_ body: [UInt8]) -> String {
        var rest = String(decoding: body, as: UTF8.self).utf16[...]
        var plain: [UInt16] = []
        while let unit = rest.popFirst() {
            guard unit == UInt16(UInt8(ascii: "\\")), let escaped = rest.first else {
                plain.append(unit)
                continue
            }
            switch UInt8(exactly: escaped) {
            case UInt8(ascii: "u"):
                let digits = String(decoding: rest.dropFirst().prefix(4), as: UTF16.self)
                guard digits.utf8.count == 4, let decoded = UInt16(digits, radix: 16) else {
                    plain.append(unit)
                    continue
                }
                plain.append(decoded)
                rest = rest.dropFirst(5)
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                plain.append(UInt16(UInt8(ascii: " ")))
                rest = rest.dropFirst()
            default:
                plain.append(escaped)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: plain, as: UTF16.self)
    }
}
