/// JSON strings (RFC 8259, section 7).
package enum JSONText {
    private static let digits = Array("0123456789abcdef".utf8)

    package static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { unsafe escape($0, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Copies everything between escapes in one go; usually that is the whole text.
    private static func escape(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var start = 0
        for place in text.indices {
            let byte = unsafe text[place]
            switch byte {
            case 0..<0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"):
                unsafe bytes.append(contentsOf: text[start..<place])
                start = place + 1
                append(escaped: byte, to: &bytes)
            default: continue
            }
        }
        unsafe bytes.append(contentsOf: text[start...])
    }

    private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        default:
            bytes += "u00".utf8
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}
