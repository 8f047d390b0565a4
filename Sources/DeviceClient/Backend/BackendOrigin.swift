import Foundation

/// The only destination of credentials: a scheme, a host and a port.
struct BackendOrigin: Sendable {
    /// The characters that are never encoded in a URL (RFC 3986, section 2.3).
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private let text: String

    /// - Parameter url: an https URL, or an http URL of this device, without a path, query, user or
    ///   password.
    init(_ url: URL) throws(BackendClientError) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), let host = parts.host, !host.isEmpty
        else { throw .unusableOrigin(.incomplete) }
        guard parts.user == nil, parts.password == nil else {
            throw .unusableOrigin(.hasCredentials)
        }
        guard ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil else {
            throw .unusableOrigin(.hasPath)
        }
        guard scheme == "https" || scheme == "http" && Self.isLoopback(host) else {
            throw .unusableOrigin(.insecure)
        }
        var origin = parts
        origin.scheme = scheme
        origin.path = ""
        guard let text = origin.string else { throw .unusableOrigin(.incomplete) }
        self.text = text
    }

    /// Creates a URL at this origin; encodes everything except letters, digits, `-`, `.`, `_` and
    /// `~`.
    ///
    /// - Throws: ``BackendClientError/unaddressable`` if a segment would change the path.
    func url(
        _ path: [String], _ query: KeyValuePairs<String, String> = [:]
    ) throws(BackendClientError) -> URL {
        var address = text
        for segment in path {
            guard !["", ".", ".."].contains(segment) else { throw .unaddressable }
            address += try "/" + Self.encoded(segment)
        }
        var separator = "?"
        for (name, value) in query {
            address += try separator + Self.encoded(name) + "=" + Self.encoded(value)
            separator = "&"
        }
        guard let url = URL(string: address) else { throw .unaddressable }
        return url
    }

    private static func encoded(_ text: String) throws(BackendClientError) -> String {
        guard let encoded = text.addingPercentEncoding(withAllowedCharacters: unreserved) else {
            throw .unaddressable
        }
        return encoded
    }

    /// Whether a host is `localhost`, `::1`, or an address in 127.0.0.0/8.
    ///
    /// An octet with a sign or a leading zero may mean another address, because some systems read
    /// `010` as 8.
    private static func isLoopback(_ host: String) -> Bool {
        switch host.lowercased() {
        case "localhost", "::1", "[::1]": return true
        case let other:
            let octets = other.split(separator: ".", omittingEmptySubsequences: false)
            return octets.count == 4 && octets[0] == "127"
                && octets.allSatisfy { octet in UInt8(octet).map { "\($0)" == octet } ?? false }
        }
    }
}
