/// How a local hub serves TLS, with HTTP/2 and HTTP/1.1, beside plain HTTP.
package struct LocalHubTLS: Sendable {
    /// Where the server's certificate comes from.
    package enum Identity: Sendable {
        /// An authority that the hub makes at its start, and that vouches for loopback addresses only.
        case ownAuthority
        /// A certificate with what leads to its root, the server's first, and its key, both as PEM.
        case certificate(chain: [UInt8], key: [UInt8])
    }

    /// The port to listen on, on the host of plain HTTP; 0 takes a free one.
    package var port: Int
    /// Where the server's certificate comes from.
    package var identity: Identity

    /// Describes the second port of a hub.
    ///
    /// - Parameters:
    ///   - port: the port, 0 to 65535; 0 takes a free one.
    ///   - identity: where the server's certificate comes from.
    package init(port: Int = 0, identity: Identity = .ownAuthority) {
        self.port = port
        self.identity = identity
    }
}
