import NotificationHubs

/// How a hub is reached where the network is not a plain one.
struct HubRoute {
    /// The variable that names a proxy.
    static let proxyVariable = "HUBSEND_HUB_PROXY"

    /// A file of certificate authorities to trust beside the system's.
    let authorities: String?
    /// An HTTP proxy, as the environment gives it.
    private let proxyText: String?

    /// Reads the environment.
    init(_ invocation: Invocation) {
        authorities = invocation[HubAuthorities.variable].map(invocation.absolute)
        proxyText = invocation[Self.proxyVariable]
    }

    /// The certificates of ``authorities``, in PEM.
    ///
    /// - Throws: ``CommandFailure`` when the file is no good.
    func trustRoots() throws -> [String] {
        try authorities.map { [try HubAuthorities.read($0)] } ?? []
    }

    /// The proxy, written as `http://proxy.example:3128` or without the scheme; nil for none.
    ///
    /// - Throws: ``CommandFailure`` when it is written otherwise.
    func proxy() throws -> HubProxy? {
        guard let proxyText else { return nil }
        var rest = Substring(proxyText)
        if rest.hasPrefix("http://") { rest = rest.dropFirst("http://".count) }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        do {
            let address = try ListenAddress(String(rest))
            return HubProxy(host: address.host, port: address.port)
        } catch {
            // Not repeated: it may hold a password.
            throw CommandFailure(
                .configuration,
                """
                What \(Self.proxyVariable) gives is no proxy. Write http://, its host and its port, such as \
                http://proxy.example:3128; a proxy that wants a password cannot be used.
                """)
        }
    }
}
