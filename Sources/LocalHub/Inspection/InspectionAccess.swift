import HTTPServing
import HTTPTypes

/// Decides which hosts requests may name, and who may read and change what is below `/.hubsend`.
///
/// There is no password, since a published one protects nothing. Programs on this machine may read,
/// and browsers for the hub's own page. A page whose name resolves to this machine (DNS rebinding)
/// sends its own name as `Host`; for other sites, the browser names the origin.
struct InspectionAccess: Sendable {
    let token = ChangeToken()

    /// The hosts that requests of this machine may name.
    private let localHosts: Set<String>
    /// The hosts that all requests may name.
    private let allowedHosts: Set<String>

    /// Opens the hub to this machine, if `host` is a loopback address, and to the allowed hosts;
    /// malformed ones open nothing.
    init(listeningOn host: String, allowedHosts: [String]) {
        let loopback = LoopbackHost.contains(host) ? [host] : []
        localHosts = Set(["localhost", "127.0.0.1", "::1"] + loopback.compactMap(Self.canonical))
        self.allowedHosts = Set(allowedHosts.compactMap(Self.canonical))
    }

    /// A host from the configuration, IPv6 with or without brackets, as hosts are compared; nil
    /// when it is not a host.
    static func canonical(_ host: String) -> String? {
        if let named = CanonicalAuthority(host) { return named.port == nil ? named.host : nil }
        return HostName.canonical(host)
    }

    /// Checks that the peer may use the host that its request names.
    ///
    /// A hub with a published key listens on this machine only, so a peer that names this machine
    /// is on it.
    func authorizeHost(_ request: HubRequest, hasKey: Bool = false) throws(HubFailure) {
        guard let asked = CanonicalAuthority(request.authority.text),
            allowedHosts.contains(asked.host)
                || (hasKey || request.isPeerLocal) && localHosts.contains(asked.host)
        else { throw .hostMayNotAsk(request.authority.text) }
    }

    /// Checks that no browser names another site as the source, unless it is a click on a link to
    /// the page.
    func authorizeLook(_ request: HubRequest) throws(HubFailure) {
        if let site = request.headers["sec-fetch-site"], !["same-origin", "none"].contains(site),
            !Self.followsLinkToPage(request)
        {
            throw .otherSite
        }
        try checkOrigin(of: request)
    }

    /// Checks that a change comes from the page or from a program that has read the token.
    func authorizeChange(_ request: HubRequest) throws(HubFailure) {
        try authorizeHost(request)
        if let site = request.headers["sec-fetch-site"], site != "same-origin" { throw .otherSite }
        // Browsers send the origin with every method that changes something; only programs leave it out.
        try checkOrigin(of: request)
        guard token.isProven(by: request.headers[ChangeToken.header]) else {
            throw .tokenMissing(at: "\(request.scheme)://\(request.authority.text)")
        }
    }

    private func checkOrigin(of request: HubRequest) throws(HubFailure) {
        guard let origin = request.headers["origin"] else { return }
        guard CanonicalAuthority(request.authority.text)?.isOrigin(origin) == true else {
            throw .otherOrigin(origin)
        }
    }

    private static func followsLinkToPage(_ request: HubRequest) -> Bool {
        request.method == .get && request.target.segments.isEmpty
            && request.headers["sec-fetch-mode"] == "navigate"
            && request.headers["sec-fetch-dest"] == "document"
    }
}

extension HubFailure {
    fileprivate static func hostMayNotAsk(_ host: String) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail:
                "The local hub does not answer requests for \(ClientText.quoted(host)): "
                + "ask on the hub's own machine for localhost, 127.0.0.1 or [::1], or start the hub "
                + "with --allow-host and the name that you use.")
    }

    fileprivate static let otherSite = HubFailure(
        status: .forbidden,
        detail: "The browser says in Sec-Fetch-Site that a page of another site made this request; "
            + "open the hub's own page, or use a program.")

    fileprivate static func otherOrigin(_ origin: String) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail: "A page of the origin \(ClientText.quoted(origin)) made this request; open the "
                + "hub's own page, or use a program, which sends no Origin.")
    }

    fileprivate static func tokenMissing(at address: String) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail: "A change needs the token of this start: curl -H \"Hubsend-Token: $(curl -s "
                + "\(address)/\(InspectionPath.root)/token)\" and the rest of the request.")
    }
}
