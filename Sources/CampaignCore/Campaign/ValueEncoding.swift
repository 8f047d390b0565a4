/// What is done to a variable's value where it lands in a text.
///
/// JSON and XML are encoded once, with the whole push body (``PushBody``).
package enum ValueEncoding: Sendable {
    /// Plain text.
    case none
    /// A part of an address: all but RFC 3986's unreserved characters is percent-encoded.
    case urlPart

    func encode(_ value: String) -> String {
        switch self {
        case .none: value
        case .urlPart: Self.percentEncode(value)
        }
    }

    private static func percentEncode(_ value: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
