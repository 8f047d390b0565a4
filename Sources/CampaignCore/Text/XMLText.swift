/// Writes text as character data of XML 1.0.
package enum XMLText {
    /// Whether XML can contain a character; most control characters are excluded (XML 1.0, section
    /// 2.2).
    package static func canHold(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    package static func escaped(_ text: String, inAttribute: Bool = false) -> String {
        var bytes: [UInt8] = []
        append(text, inAttribute: inAttribute, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends escaped text; characters that XML cannot contain become U+FFFD.
    static func append(
        _ text: String, inAttribute: Bool = false, to bytes: inout [UInt8]
    ) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes.append(contentsOf: "&amp;".utf8)
            case "<": bytes.append(contentsOf: "&lt;".utf8)
            case ">": bytes.append(contentsOf: "&gt;".utf8)
            case "\"" where inAttribute: bytes.append(contentsOf: "&quot;".utf8)
            case "\r": bytes.append(contentsOf: "&#13;".utf8)
            default:
                bytes.append(contentsOf: String(canHold(scalar) ? scalar : "\u{FFFD}").utf8)
            }
        }
    }
}
