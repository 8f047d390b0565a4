import CampaignCore
import HTTPServing
import HTTPTypes

/// Where a request comes from and which host it was sent to, as its client sees it.
///
/// Behind a proxy that the config names, this comes from `Forwarded` (RFC 7239) or from
/// `X-Forwarded-For`, `-Proto` and `-Host`; if both kinds are present, they must agree. If neither
/// is present, the client is unknown. These fields are ignored if they come from anybody else.
struct RequestSource: Hashable, Sendable {
    /// The peer of the connection; nil if it has no IP address.
    let peer: IPAddress?
    /// The client, which is the peer if there is no proxy; nil if unknown.
    let address: IPAddress?
    let scheme: WebScheme
    /// The host as the client named it, with the port unless it is the scheme's default.
    let host: String?
    /// Whether the peer is a proxy that does not name its client.
    var isProxySilent = false
}

extension RequestSource {
    init(peer: IPAddress?, scheme: WebScheme, host: String?) {
        self.init(peer: peer, address: peer, scheme: scheme, host: host)
    }

    /// Reads the fields of trusted proxies; throws (400) if they are malformed or disagree.
    init(
        peer: IPAddress?, scheme: WebScheme, host: String?, fields: HTTPFields,
        proxies: [AddressRange]
    ) throws(ForwardedError) {
        let isProxy = { (address: IPAddress) in proxies.contains { $0.contains(address) } }
        guard let peer, isProxy(peer) else {
            self.init(peer: peer, scheme: scheme, host: host)
            return
        }
        let standard = try ForwardedHop.client(inForwarded: fields, isProxy: isProxy)
        let customary = try ForwardedHop.client(inXForwarded: fields, isProxy: isProxy)
        guard let hop = standard ?? customary else {
            // If the proxy's own address were used, all its clients would be treated as one client,
            // or even as this machine if the proxy runs on it.
            self.init(peer: peer, address: nil, scheme: .http, host: host, isProxySilent: true)
            return
        }
        // A proxy that writes only one kind of field forwards the other kind unchanged, which may
        // be forged.
        if standard != nil, let customary, !hop.agrees(with: customary) {
            throw .contradiction(
                fields.text(of: "Forwarded"),
                ["For", "Proto", "Host"].map { fields.text(of: "X-Forwarded-\($0)") }
                    .joined(separator: "; "))
        }
        // Unless the proxy reports https, its client may have used unencrypted http.
        self.init(
            peer: peer, address: hop.address, scheme: hop.scheme ?? .http, host: hop.host ?? host)
    }

    /// Whether credentials are allowed: the connection is encrypted or comes from this machine.
    ///
    /// Otherwise, a request with credentials is refused before they are checked.
    var mayCarryCredentials: Bool {
        scheme == .https || (peer?.isLoopback ?? false) && (address?.isLoopback ?? false)
    }

    /// Why credentials are not allowed, for the audit.
    func plainReason(_ fields: HTTPFields) -> String {
        guard peer != address else { return "the connection is not encrypted" }
        for name in ["Forwarded", "X-Forwarded-Proto"] where !fields.text(of: name).isEmpty {
            let value = ClientText.quoted(fields.text(of: name))
            return "\(name) is \(value), so the client did not use https all the way"
        }
        return "the proxy sent no X-Forwarded-Proto"
    }
}

extension HTTPFields {
    /// A field's values, separated by commas; empty if it is missing.
    func text(of name: String) -> String {
        HTTPField.Name(name).map { self[values: $0].joined(separator: ", ") } ?? ""
    }
}
