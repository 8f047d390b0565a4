import HTTPServing
import HTTPTypes

/// Decides which `Host` headers are accepted, and who can read and change data below `/.hubsend`.
///
/// There is no password, because a published password would protect nothing. Programs on this
/// machine, and browsers that show the hub's own page, have read access. A page whose name resolves
/// to this machine (DNS rebinding) is recognised by its `Host` header, and a page of any other site
/// by its `Origin` header.
struct InspectionAccess: Sendable {
    let token = ChangeToken()

    /// The hosts that requests from this machine can use.
    private let localHosts: Set<String>
    /// The hosts that requests from any machine can use.
    private let allowedHosts: Set<String>

    /// Allows the given hosts and, if `host` is a loopback address, the names of this machine;
    /// ignores malformed hosts.
    init(listeningOn host: String, allowedHosts: [String]) {
        let loopback = LoopbackHost.contains(host) ? [host] : []
        localHosts = Set(["localhost", "127.0.0.1", "::1"] + loopback.compactMap(Self.canonical))
        self.allowedHosts = Set(allowedHosts.compactMap(Self.canonical))
    }

    /// The canonical spelling of a configured host (IPv6 with or without brackets); nil if it is
    /// not a host.
    static func canonical(_ host: String) -> String? {
        if let named = CanonicalAuthority(host) { return named.port == nil ? named.host : nil }
        return HostName.canonical(host)
    }

    /// Checks that the peer is allowed to use the host in its request.
    ///
    /// A hub with a published key listens only on loopback, so a peer that uses a name of this
    /// machine is on this machine.
    func authorizeHost(_ request: HubRequest, hasKey: Bool = false) throws(HubFailure) {
        guard let asked = CanonicalAuthority(request.authority.text),
            allowedHosts.contains(asked.host)
                || (hasKey || request.isPeerLocal) && localHosts.contains(asked.host)
        else { throw .hostNotAllowed(request.authority.text) }
    }

    /// Refuses requests that a browser makes for another site, unless the user followed a link to
    /// the page.
    func authorizeRead(_ request: HubRequest) throws(HubFailure) {
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
        // Browsers send the origin with every method that changes data; only programs omit it.
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
    fileprivate static func hostNotAllowed(_ host: String) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail:
                "The local hub does not answer requests for the host \(ClientText.quoted(host)). "
                + "On the hub's own machine, use localhost, 127.0.0.1 or [::1]; to allow another "
                + "host, start the hub with --allow-host.")
    }

    fileprivate static let otherSite = HubFailure(
        status: .forbidden,
        detail: "According to Sec-Fetch-Site, a page of another site made this request; open the "
            + "hub's own page, or send the request from a program.")

    fileprivate static func otherOrigin(_ origin: String) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail: "A page of the origin \(ClientText.quoted(origin)) made this request; open the "
                + "hub's own page, or send the request from a program, without Origin.")
    }

    fileprivate static func tokenMissing(at address: String) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail:
                "Changes require the token of the running hub: curl -H \"Hubsend-Token: $(curl -s "
                + "\(address)/\(InspectionPath.root)/token)\", then the rest of the request.")
    }
}
