import Files
import HTTPServing
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization

/// One port of a hub, which serves requests or explains why the hub cannot listen.
struct HubPort: Service {
    let application: Application<HubResponder>
    let host: String
    /// The port number; 0 picks a free port.
    let port: Int

    func run() async throws {
        do {
            try await application.run()
        } catch {
            guard let listenError = ListenError(error) else { throw error }
            throw LocalHubError(listenError, host: host, port: port)
        }
    }
}

extension LocalHubError {
    fileprivate init(_ error: ListenError, host: String, port: Int) {
        switch error {
        case .portInUse:
            self = .portInUse(host: host, port: port)
        case .refused(let number):
            self = .cannotListen(
                host: host, port: port, reason: "\(SystemError(number: number))",
                advice: error.advice)
        case .unknownHost:
            self = .cannotListen(
                host: host, port: port, reason: "the host name does not resolve",
                advice: error.advice)
        }
    }
}

final class OpenPorts: Sendable {
    private let awaitsTLS: Bool
    private let open: Mutex<(http: Int?, tls: Int?)> = Mutex((nil, nil))

    init(awaitsTLS: Bool) {
        self.awaitsTLS = awaitsTLS
    }

    /// Records an open port; returns the ports once all of them are open.
    func opened(_ port: Int, isTLS: Bool) -> (http: Int, tls: Int?)? {
        open.withLock { open in
            if isTLS { open.tls = port } else { open.http = port }
            guard let http = open.http, !awaitsTLS || open.tls != nil else { return nil }
            return (http, open.tls)
        }
    }
}
