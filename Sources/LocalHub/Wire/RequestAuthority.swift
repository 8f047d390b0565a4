/// The host, and perhaps port, by which a client reached the hub.
struct RequestAuthority: Equatable {
    /// Host and port exactly as sent; safe to repeat in a header.
    let text: String
    /// The host in lower case, without port; an IPv6 address keeps its brackets.
    let host: String

    /// Reads a `Host` header; nil when it is empty, longer than 255 characters or has a character that no
    /// host has.
    ///
    /// - Parameter text: the header's value.
    init?(_ text: String?) {
        guard let text, (1...255).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        let host = Self.withoutPort(text[...])
        guard !host.isEmpty else { return nil }
        self.text = text
        self.host = host.lowercased()
    }

    /// A host without its port.
    static func withoutPort(_ text: Substring) -> Substring {
        let searchStart = text.lastIndex(of: "]") ?? text.startIndex
        guard let colon = text[searchStart...].firstIndex(of: ":") else { return text }
        return text[..<colon]
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        TagGrammar.isTagByte(byte) && byte != UInt8(ascii: "@") && byte != UInt8(ascii: "#")
            || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
    }
}
