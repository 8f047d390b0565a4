import CampaignCore
import HTTPTypes

/// Where a request comes from and what it was sent to, as its client sees it.
///
/// Behind a proxy that the config names, that is what the proxy says in `Forwarded` (RFC 7239), or,
/// without it, in `X-Forwarded-For`, `-Proto` and `-Host`; where there are both, they have to agree.
/// When the proxy sends neither, its client is unknown. From anybody else these fields are ignored.
struct RequestSource: Hashable, Sendable {
    /// The other end of the connection; nil when it has no IP address.
    let peer: IPAddress?
    /// The client, who is the peer where there is no proxy; nil: not known.
    let address: IPAddress?
    let scheme: WebScheme
    /// Host, and port where it is not the scheme's own, as the client named them; nil: it did not.
    let host: String?
    /// Whether the peer is a proxy that does not say who its client is.
    let isProxySilent: Bool

    /// Describes a connection without a proxy.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - scheme: what is spoken on it.
    ///   - host: the request's authority.
    init(peer: IPAddress?, scheme: WebScheme, host: String?) {
        self.init(peer: peer, address: peer, scheme: scheme, host: host)
    }

    /// Reads what trusted proxies say about a request.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - scheme: what is spoken on it.
    ///   - host: the request's authority.
    ///   - fields: the request's header fields.
    ///   - proxies: whom to believe.
    /// - Throws: ``ForwardedFault`` when these fields are malformed or disagree: answer 400.
    init(
        peer: IPAddress?, scheme: WebScheme, host: String?, fields: HTTPFields,
        proxies: [AddressRange]
    ) throws(ForwardedFault) {
        let isProxy = { (address: IPAddress) in proxies.contains { $0.contains(address) } }
        guard let peer, isProxy(peer) else {
            self.init(peer: peer, scheme: scheme, host: host)
            return
        }
        let standard = try ForwardedHop.chain(inForwarded: fields)
        let customary = try ForwardedHop.chain(inXForwarded: fields)
        guard let hop = Self.client(in: standard ?? customary ?? [], isProxy: isProxy) else {
            // With the proxy's own address, all its clients would count as one, and as this machine
            // where the proxy is on it.
            self.init(peer: peer, address: nil, scheme: .http, host: host, isProxySilent: true)
            return
        }
        // A proxy that writes one of the two passes the other on as it came, perhaps forged.
        if standard != nil, let other = Self.client(in: customary ?? [], isProxy: isProxy),
            !hop.agrees(with: other)
        {
            throw .contradiction
        }
        // Where the proxy does not say https, its client may have used plain http.
        self.init(
            peer: peer, address: hop.address, scheme: hop.scheme ?? .http, host: hop.host ?? host)
    }

    private init(
        peer: IPAddress?, address: IPAddress?, scheme: WebScheme, host: String?,
        isProxySilent: Bool = false
    ) {
        self.peer = peer
        self.address = address
        self.scheme = scheme
        self.host = host
        self.isProxySilent = isProxySilent
    }

    /// Whether credentials may come this way: encrypted, or from this machine itself.
    ///
    /// A request that carries credentials where this is false is refused without looking at them.
    var mayCarryCredentials: Bool {
        scheme == .https || (peer?.isLoopback ?? false) && (address?.isLoopback ?? false)
    }

    /// The hop that speaks of the client: the last one that is not of a proxy, or the first when
    /// all are.
    private static func client(
        in chain: [ForwardedHop], isProxy: (IPAddress) -> Bool
    ) -> ForwardedHop? {
        chain.last { $0.address.map { !isProxy($0) } ?? true } ?? chain.first
    }
}
