/// Character data as XML 1.0 writes it.
package enum XMLText {
    /// Whether XML 1.0 can hold a character at all (its section 2.2); most control characters it cannot.
    package static func canHold(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Appends a text with markup escaped; a character that XML cannot hold becomes U+FFFD.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes.append(contentsOf: "&amp;".utf8)
            case "<": bytes.append(contentsOf: "&lt;".utf8)
            case ">": bytes.append(contentsOf: "&gt;".utf8)
            case "\r": bytes.append(contentsOf: "&#13;".utf8)
            default:
                bytes.append(contentsOf: String(canHold(scalar) ? scalar : "\u{FFFD}").utf8)
            }
        }
    }
}
