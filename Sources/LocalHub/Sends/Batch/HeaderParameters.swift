/// The parameters of a header such as `multipart/mixed; boundary = "b"` (RFC 2045, section 5.1).
enum HeaderParameters {
    /// The value of a parameter, without its quotes; nil when the header has none of the name.
    ///
    /// Spaces may stand around the equals sign, as one client sends them. Of two parameters of one name the
    /// first counts.
    ///
    /// - Parameters:
    ///   - name: the parameter's name in lower case.
    ///   - header: the header's value.
    /// - Returns: the value.
    static func value(_ name: String, in header: String) -> String? {
        var rest = header.utf8.drop { $0 != semicolon }
        while rest.first == semicolon {
            rest = skippingSpaces(rest.dropFirst())
            let key = rest.prefix { $0 != equals && $0 != semicolon }
            rest = rest.dropFirst(key.count)
            guard rest.first == equals else { continue }
            rest = skippingSpaces(rest.dropFirst())
            let value = value(&rest)
            rest = rest.drop { $0 != semicolon }
            if text(key).lowercased() == name { return value }
        }
        return nil
    }

    private static let semicolon = UInt8(ascii: ";")
    private static let equals = UInt8(ascii: "=")
    private static let quote = UInt8(ascii: "\"")

    private static func value(_ rest: inout Substring.UTF8View) -> String {
        guard rest.first == quote else {
            let bare = rest.prefix { $0 != semicolon }
            rest = rest.dropFirst(bare.count)
            return text(bare)
        }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != quote {
            // A backslash takes the meaning from the byte behind it.
            bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func skippingSpaces(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        bytes.drop { $0 == 0x20 || $0 == 0x09 }
    }

    /// The bytes as text, without spaces behind them.
    private static func text(_ bytes: Substring.UTF8View) -> String {
        var bytes = bytes
        while bytes.last == 0x20 || bytes.last == 0x09 { bytes = bytes.dropLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
