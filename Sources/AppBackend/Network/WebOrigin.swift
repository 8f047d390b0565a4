/// Scheme, host and port of a web page or a server (RFC 6454, section 4).
struct WebOrigin: Hashable, Sendable {
    let scheme: WebScheme
    /// In lower case; an address of version 6 in its brackets.
    let host: String
    let port: Int

    /// Reads the value of an `Origin` field; nil for `null` and whatever is no `http` or `https`
    /// origin.
    init?(_ text: String) {
        guard let separator = text.firstRange(of: "://"),
            let scheme = WebScheme(rawValue: text[..<separator.lowerBound].lowercased())
        else { return nil }
        self.init(scheme: scheme, authority: text[separator.upperBound...])
    }

    /// Puts a scheme and `host` or `host:port` together; nil when the latter is neither.
    init?(scheme: WebScheme, authority: Substring) {
        guard 1...255 ~= authority.utf8.count else { return nil }
        let isBracketed = authority.first == "["
        let hostEnd =
            isBracketed
            ? authority.firstIndex(of: "]").map(authority.index(after:))
            : authority.firstIndex(of: ":")
        let host = authority[..<(hostEnd ?? authority.endIndex)]
        let rest = authority[host.endIndex...]
        guard !host.isEmpty, isBracketed == (host.last == "]"),
            host.utf8.allSatisfy(isBracketed ? Self.isOfLiteral : Self.isOfName)
        else { return nil }
        if rest.isEmpty {
            port = scheme.port
        } else {
            guard rest.first == ":", rest.dropFirst().utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
                let port = UInt16(rest.dropFirst())
            else { return nil }
            self.port = Int(port)
        }
        self.scheme = scheme
        self.host = host.lowercased()
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        FieldScanner.isAlphanumeric(byte) || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private static func isOfLiteral(_ byte: UInt8) -> Bool {
        FieldScanner.isAlphanumeric(byte) || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
    }
}
