import Synchronization

/// Which ports of a hub are open, until all of them are.
final class OpenPorts: Sendable {
    private let awaitsTLS: Bool
    private let open: Mutex<(http: Int?, tls: Int?)> = Mutex((nil, nil))

    /// Begins with none.
    ///
    /// - Parameter awaitsTLS: whether there is to be a port for TLS.
    init(awaitsTLS: Bool) {
        self.awaitsTLS = awaitsTLS
    }

    /// Notes a port that is open now.
    ///
    /// - Parameters:
    ///   - port: the port that it got.
    ///   - isTLS: whether it is the one for TLS.
    /// - Returns: both, when they are all open with this one.
    func opened(_ port: Int, isTLS: Bool) -> (http: Int, tls: Int?)? {
        open.withLock { open in
            if isTLS { open.tls = port } else { open.http = port }
            guard let http = open.http, !awaitsTLS || open.tls != nil else { return nil }
            return (http, open.tls)
        }
    }
}
