import HTTPServing
import HTTPTypes

/// Scheme, host and port of a web page or a server (RFC 6454, section 4).
struct WebOrigin: Hashable, Sendable {
    let scheme: WebScheme
    /// In lower case; an IPv6 address in brackets.
    let host: String
    let port: Int

    /// Parses an `Origin` field; nil for `null` and anything but an `http` or `https` origin.
    init?(_ text: String) {
        guard let separator = text.firstRange(of: "://"),
            let scheme = WebScheme(rawValue: text[..<separator.lowerBound].lowercased())
        else { return nil }
        self.init(scheme: scheme, authority: text[separator.upperBound...])
    }

    /// Combines a scheme and an authority; nil if that is neither `host` nor `host:port`.
    init?(scheme: WebScheme, authority text: Substring) {
        guard 1...255 ~= text.utf8.count, let authority = Authority(text) else { return nil }
        let others = authority.isBracketed ? ".:" : ".-_"
        guard
            authority.host.utf8.allSatisfy({ $0.isASCIIAlphanumeric || others.utf8.contains($0) })
        else { return nil }
        self.scheme = scheme
        host = (authority.isBracketed ? "[\(authority.host)]" : String(authority.host)).lowercased()
        port = authority.port ?? scheme.port
    }
}

enum WebScheme: String, Hashable, Sendable {
    case http
    case https

    /// The scheme's default port.
    var port: Int {
        switch self {
        case .http: 80
        case .https: 443
        }
    }
}

/// Refuses changes requested by a web page of another origin (403).
///
/// A browser adds the user's credentials to such a request and names the page in `Origin`, which
/// apps do not send.
enum OriginRule {
    /// Methods that only read are never refused (RFC 9110, section 9.2.1).
    static func refuses(
        _ method: HTTPRequest.Method, _ fields: HTTPFields, to source: RequestSource
    ) -> Bool {
        guard ![.get, .head, .options].contains(method) else { return false }
        if values("Sec-Fetch-Site", in: fields).contains(where: { $0.lowercased() == "cross-site" })
        {
            return true
        }
        let origins = values("Origin", in: fields)
        guard !origins.isEmpty else { return false }
        guard origins.count == 1, let origin = WebOrigin(origins[0]), let host = source.host,
            let own = WebOrigin(scheme: source.scheme, authority: host[...])
        else { return true }
        return origin != own
    }

    private static func values(_ name: String, in fields: HTTPFields) -> [String] {
        HTTPField.Name(name).map { fields[values: $0] } ?? []
    }
}
