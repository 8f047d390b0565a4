import HTTPTypes

/// By which hosts the hub is asked, who may look into it, and who may change something below `/.hubsend`.
///
/// There is no password, and one that is published is none either. A program on this machine may look; so may a
/// browser, but only for the hub's own page: a page from elsewhere, whose name was made to resolve to this machine,
/// still sends its own name as `Host` (DNS rebinding), and one that asks for the hub by its right name is told on by
/// the browser.
struct InspectionAccess: Sendable {
    /// The token of this start.
    let token = ChangeToken()

    /// The hosts by which requests of this machine may look.
    private let localHosts: Set<String>
    /// The hosts by which everybody may.
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

    /// The spelling of a host out of a configuration in which hosts are compared.
    ///
    /// - Parameter host: a name or an address without port, an IPv6 address with or without brackets.
    /// - Returns: nil when it is no host.
    static func canonical(_ host: String) -> String? {
        if let named = HostAndPort(host) { return named.port == nil ? named.host : nil }
        return HostName.canonical(host)
    }

    /// Checks that the host of a request is one by which its peer may ask.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - hasKey: whether it has to bring a published key besides. Then who asks for the hub by a name of this
    ///     machine is on it: a hub with such a key listens there only.
    /// - Throws: a 403 when it is not.
    func authorizeHost(_ request: HubRequest, hasKey: Bool = false) throws(HubFailure) {
        guard let asked = HostAndPort(request.authority.text),
            allowedHosts.contains(asked.host)
                || (hasKey || request.isPeerLocal) && localHosts.contains(asked.host)
        else { throw .hostMayNotAsk(request.authority.text) }
    }

    /// Checks that no browser says that a request is another site's.
    ///
    /// - Throws: a 403 when one does, unless somebody only follows a link to the page.
    func authorizeLook(_ request: HubRequest) throws(HubFailure) {
        if let site = request.headers["sec-fetch-site"], !["same-origin", "none"].contains(site),
            !Self.followsLinkToPage(request)
        {
            throw .otherSite
        }
        try checkOrigin(of: request)
    }

    /// Checks that a change is asked for by the page or by a program that could read the token.
    ///
    /// - Throws: a 403 that says what is missing.
    func authorizeChange(_ request: HubRequest) throws(HubFailure) {
        try authorizeHost(request)
        if let site = request.headers["sec-fetch-site"], site != "same-origin" { throw .otherSite }
        // Browsers name the origin with every method that changes something; only programs leave it out.
        try checkOrigin(of: request)
        guard token.isProven(by: request.headers[ChangeToken.header]) else {
            throw .tokenMissing(at: "\(request.scheme)://\(request.authority.text)")
        }
    }

    private func checkOrigin(of request: HubRequest) throws(HubFailure) {
        guard let origin = request.headers["origin"] else { return }
        guard HostAndPort(request.authority.text)?.isOrigin(origin) == true else {
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
    /// The host of a request is none by which its peer may ask the hub.
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
        detail: "A page of another site asks for this, as the browser says in Sec-Fetch-Site; "
            + "open the hub's own page, or ask with a program.")

    /// A request was made by a page of another origin.
    fileprivate static func otherOrigin(_ origin: String) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail: "A page of the origin \(ClientText.quoted(origin)) asks for this; open the "
                + "hub's own page, or ask with a program, which sends no Origin.")
    }

    /// A change does not bring the token of this start.
    fileprivate static func tokenMissing(at address: String) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail: "A change needs the token of this start: curl -H \"Hubsend-Token: $(curl -s "
                + "\(address)/\(InspectionPath.root)/token)\" and the rest of the request.")
    }
}
