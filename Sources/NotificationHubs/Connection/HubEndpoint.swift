import CampaignCore

/// The address of a namespace: scheme, host and port; plain `http` is allowed only for a loopback
/// host.
public struct HubEndpoint: Sendable, Hashable {
    /// The protocol of a namespace.
    public enum Scheme: String, Sendable, Hashable {
        /// HTTP over TLS; in a connection string, also written as `sb://`.
        case https
        /// Plain HTTP, only for a loopback host.
        case http
    }

    /// The protocol: `https`, or `http` for a loopback host.
    public let scheme: Scheme

    /// The host name, the IPv4 address, or the IPv6 address without brackets, as written.
    public let host: String

    /// The port, 1 to 65,535; nil means the scheme's default port.
    public let port: Int?

    /// Whether the host is this machine: `localhost`, `::1` or `127.0.0.0/8`.
    public var isLoopback: Bool { Loopback.contains(host) }

    /// The URL without a trailing slash.
    var origin: String { "\(scheme.rawValue)://\(authority)" }

    /// The host and port, as in the `Host` header.
    var authority: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }
}

extension HubEndpoint: CustomStringConvertible {
    /// The address as a URL, such as `https://contoso.servicebus.windows.net`.
    public var description: String { origin }
}

extension HubEndpoint {
    /// Reads an `Endpoint` such as `sb://contoso.servicebus.windows.net/`; `sb` and `https` both
    /// mean TLS.
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
            digits.utf8.allSatisfy(\.isDigit),
            let number = Int(digits), (1...65_535).contains(number)
        else { throw .invalidPort }
        return number
    }

    /// Accepts RFC 1123 host names and dotted IPv4 addresses; internationalised names must be in
    /// ASCII form.
    private static func isName(_ host: Substring) -> Bool {
        guard (1...253).contains(host.utf8.count) else { return false }
        return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { $0.isAlphanumeric(or: "-_") }
        }
    }

    private static func isIPv6(_ host: Substring) -> Bool {
        (2...45).contains(host.utf8.count) && host.contains(":")
            && host.allSatisfy { ($0.isASCII && $0.isHexDigit) || $0 == ":" || $0 == "." }
    }
}

private enum Loopback {
    /// Whether a host (without brackets) is `localhost`, `::1` or an address in `127.0.0.0/8`.
    ///
    /// Other spellings are not recognised, because resolvers interpret them differently.
    static func contains(_ host: String) -> Bool {
        switch host.lowercased() {
        case "localhost", "::1", "0:0:0:0:0:0:0:1": true
        default: isLoopbackIPv4(host)
        }
    }

    private static func isLoopbackIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "127" else { return false }
        return parts.allSatisfy { part in
            part.utf8.allSatisfy(\.isDigit)
                // With a leading zero, some resolvers would read an octal number.
                && (part.count == 1 || part.first != "0")
                && UInt8(part) != nil
        }
    }
}
