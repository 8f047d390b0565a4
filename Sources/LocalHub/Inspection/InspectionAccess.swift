import HTTPServing
import HTTPTypes

/// Decides which hosts requests may name, who may read below `/.hubsend`, and who may change something there.
///
/// There is no password, since a published one protects nothing. A program on this machine may read. So may a browser,
/// but only for the hub's own page. A page of another site whose name resolves to this machine (DNS rebinding) sends its
/// own name as `Host`; for a page of another site that uses the hub's own name, the browser says so.
struct InspectionAccess: Sendable {
    /// The token of this start.
    let token = ChangeToken()

    /// The hosts that requests of this machine may name.
    private let localHosts: Set<String>
    /// The hosts that all requests may name.
    private let allowedHosts: Set<String>

    /// Opens the hub to this machine, and to some hosts.
    ///
    /// - Parameters:
    ///   - host: the host that the hub listens on; it counts when it is a loopback address.
    ///   - allowedHosts: names and addresses, an IPv6 address with or without brackets; malformed ones open
    ///     nothing.
    init(listeningOn host: String, allowedHosts: [String]) {
        let loopback = LoopbackHost.contains(host) ? [host] : []
        localHosts = Set(["localhost", "127.0.0.1", "::1"] + loopback.compactMap(Self.canonical))
        self.allowedHosts = Set(allowedHosts.compactMap(Self.canonical))
    }

    /// A host from the configuration, in the spelling in which hosts are compared.
    ///
    /// - Parameter host: a name or an address without port, an IPv6 address with or without brackets.
    /// - Returns: nil when it is not a host.
    static func canonical(_ host: String) -> String? {
        if let named = CanonicalAuthority(host) { return named.port == nil ? named.host : nil }
        return HostName.canonical(host)
    }

    /// Checks that the peer may use the host that its request names.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - hasKey: whether the request needs a published key as well. A hub with such a key listens on this machine
    ///     only, so a peer that uses a name of this machine is on it.
    /// - Throws: a 403 when it is not.
    func authorizeHost(_ request: HubRequest, hasKey: Bool = false) throws(HubFailure) {
        guard let asked = CanonicalAuthority(request.authority.text),
            allowedHosts.contains(asked.host)
                || (hasKey || request.isPeerLocal) && localHosts.contains(asked.host)
        else { throw .hostMayNotAsk(request.authority.text) }
    }

    /// Checks that no browser says that a request comes from a page of another site.
    ///
    /// - Throws: a 403 when it does, unless it is a click on a link to the page.
    func authorizeLook(_ request: HubRequest) throws(HubFailure) {
        if let site = request.headers["sec-fetch-site"], !["same-origin", "none"].contains(site),
            !Self.followsLinkToPage(request)
        {
            throw .otherSite
        }
        try checkOrigin(of: request)
    }

    /// Checks that a change comes from the page or from a program that has read the token.
    ///
    /// - Throws: a 403 that says what is missing.
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
    /// The peer may not use the host that its request names.
    fileprivate static func hostMayNotAsk(_ host: String) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail:
                "The local hub does not answer requests for \(ClientText.quoted(host)): "
                + "ask on the hub's own machine for localhost, 127.0.0.1 or [::1], or start the hub "
                + "with --allow-host and the name that you use.")
    }

    /// A browser says that a request was made by a page of another site.
    fileprivate static let otherSite = HubFailure(
        status: .forbidden,
        detail: "The browser says in Sec-Fetch-Site that a page of another site made this request; "
            + "open the hub's own page, or use a program.")

    /// A request was made by a page of another origin.
    fileprivate static func otherOrigin(_ origin: String) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail: "A page of the origin \(ClientText.quoted(origin)) made this request; open the "
                + "hub's own page, or use a program, which sends no Origin.")
    }

    /// A change lacks the token of this start.
    fileprivate static func tokenMissing(at address: String) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail: "A change needs the token of this start: curl -H \"Hubsend-Token: $(curl -s "
                + "\(address)/\(InspectionPath.root)/token)\" and the rest of the request.")
    }
}
