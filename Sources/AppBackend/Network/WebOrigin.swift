import HTTPServing
import HTTPTypes

/// The scheme, host and port of a web page or server (RFC 6454, section 4).
struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    let scheme: WebScheme
    /// The host in lower case; an IPv6 address has brackets.
    let host: String
    let port: Int

    /// Parses an `Origin` field; nil if it is `null` or not an `http` or `https` origin.
    init?(_ text: String) {
        guard let separator = text.firstRange(of: "://"),
            let scheme = WebScheme(rawValue: text[..<separator.lowerBound].lowercased())
        else { return nil }
        self.init(scheme: scheme, authority: text[separator.upperBound...])
    }

    /// Combines a scheme and an authority; nil if the authority is neither `host` nor `host:port`.
    init?(scheme: WebScheme, authority text: Substring) {
        guard let authority = Self.authority(text) else { return nil }
        self.scheme = scheme
        host = (authority.isBracketed ? "[\(authority.host)]" : String(authority.host)).lowercased()
        port = authority.port ?? scheme.port
    }

    /// Parses `host` or `host:port`; nil if the host has an invalid character.
    static func authority(_ text: Substring) -> Authority? {
        guard 1...255 ~= text.utf8.count, let authority = Authority(text) else { return nil }
        let others = authority.isBracketed ? ".:" : ".-_"
        let isHost = authority.host.utf8.allSatisfy {
            $0.isASCIIAlphanumeric || others.utf8.contains($0)
        }
        return isHost ? authority : nil
    }

    var description: String {
        "\(scheme.rawValue)://\(host)" + (port == scheme.port ? "" : ":\(port)")
    }
}

enum WebScheme: String, Hashable, Sendable {
    case http
    case https

    var port: Int {
        switch self {
        case .http: 80
        case .https: 443
        }
    }
}

/// Refuses changes that a web page of an unlisted origin requests (403).
///
/// A browser adds the user's credentials to such a request and sends the page's `Origin`; apps send
/// no `Origin`. Pages cannot set `Origin` and `Sec-Fetch-Site` themselves.
enum OriginRule {
    /// Why a request is refused, for the audit; nil if it is allowed.
    ///
    /// Safe methods are never refused (RFC 9110, section 9.2.1).
    static func objection(
        to method: HTTPRequest.Method, _ fields: HTTPFields, of source: RequestSource,
        allowing allowed: Set<String>
    ) -> String? {
        guard ![.get, .head, .options].contains(method) else { return nil }
        let site = fields.text(of: "Sec-Fetch-Site").lowercased()
        let origin = fields.text(of: "Origin")
        guard !site.isEmpty || fields.contains(.origin) else { return nil }
        // A proxy may have changed the host and scheme, but the browser's own verdict is reliable.
        if ["same-origin", "none"].contains(site) || isListed(origin, in: allowed) { return nil }
        let isOwn = WebOrigin(origin).map { $0 == own(of: source) } ?? !fields.contains(.origin)
        return site != "cross-site" && isOwn ? nil : reason(origin, of: source, site: site)
    }

    static func isListed(_ origin: String, in allowed: Set<String>) -> Bool {
        allowed.contains(origin.lowercased())
    }

    /// Describes the page's origin and the server's origin.
    static func reason(_ origin: String, of source: RequestSource, site: String = "") -> String {
        let page = origin.isEmpty ? "is missing" : "is \(ClientText.quoted(origin))"
        let own = own(of: source).map { "\"\($0)\"" } ?? "unknown"
        return "the page's origin \(page) and is not listed in backend.origins; "
            + "this server's origin is " + own
            + (site.isEmpty ? "" : "; Sec-Fetch-Site is \(ClientText.quoted(site))")
    }

    private static func own(of source: RequestSource) -> WebOrigin? {
        source.host.flatMap { WebOrigin(scheme: source.scheme, authority: $0[...]) }
    }
}
