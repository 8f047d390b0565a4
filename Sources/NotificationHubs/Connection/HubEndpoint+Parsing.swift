extension HubEndpoint {
    /// Reads the value of `Endpoint` in a connection string.
    ///
    /// `sb` and `https` both mean TLS. A trailing slash is optional, an explicit port is kept.
    ///
    /// - Parameter text: such as `sb://contoso.servicebus.windows.net/`.
    /// - Throws: ``ConnectionStringError`` for another scheme, a host or port that cannot be one,
    ///   user information, a path, a query, a fragment, or `http` to a host that is not this
    ///   machine.
    init(parsing text: String) throws(ConnectionStringError) {
        guard let separator = text.firstRange(of: "://") else { throw .endpointWithoutScheme }
        switch text[..<separator.lowerBound].lowercased() {
        case "sb", "https": scheme = .https
        case "http": scheme = .http
        default: throw .unknownScheme
        }
        var authority = text[separator.upperBound...]
        if authority.hasSuffix("/") { authority.removeLast() }
        guard !authority.contains("@") else { throw .userInformation }
        guard !authority.contains("?") else { throw .query }
        guard !authority.contains("#") else { throw .query }
        guard !authority.contains("/"), !authority.contains("\\") else { throw .path }

        let portText: Substring?
        (host, portText) = try Self.split(authority)
        port = try portText.map { digits throws(ConnectionStringError) in try Self.port(digits) }
        if scheme == .http, !Loopback.contains(host) { throw .plainHTTP }
    }

    private static func split(
        _ authority: Substring
    ) throws(ConnectionStringError) -> (host: String, port: Substring?) {
        let host: Substring
        let rest: Substring
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else { throw .invalidHost }
            host = authority[authority.index(after: authority.startIndex)..<close]
            rest = authority[authority.index(after: close)...]
            guard isIPv6(host) else { throw .invalidHost }
        } else {
            let colon = authority.firstIndex(of: ":") ?? authority.endIndex
            host = authority[..<colon]
            rest = authority[colon...]
            guard isName(host) else { throw .invalidHost }
        }
        guard !rest.isEmpty else { return (String(host), nil) }
        guard rest.hasPrefix(":") else { throw .invalidHost }
        return (String(host), rest.dropFirst())
    }

    private static func port(_ digits: Substring) throws(ConnectionStringError) -> Int {
        guard (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(digits), (1...65_535).contains(number)
        else { throw .invalidPort }
        return number
    }

    /// RFC 1123 host names and dotted IPv4 addresses; internationalised names come in their ASCII
    /// form.
    private static func isName(_ host: Substring) -> Bool {
        guard (1...253).contains(host.utf8.count) else { return false }
        return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"),
                        UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
    }

    private static func isIPv6(_ host: Substring) -> Bool {
        (2...45).contains(host.utf8.count) && host.contains(":")
            && host.allSatisfy { ($0.isASCII && $0.isHexDigit) || $0 == ":" || $0 == "." }
    }
}
