import Files
import HTTPServing
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization

/// One port of a hub: serves it, and says in a sentence why it cannot be listened on.
struct HubPort: Service {
    let application: Application<HubResponder>
    let host: String
    /// 0 takes a free one.
    let port: Int

    func run() async throws {
        do {
            try await application.run()
        } catch {
            guard let fault = ListenFault(error) else { throw error }
            throw LocalHubError(fault, host: host, port: port)
        }
    }
}

extension LocalHubError {
    fileprivate init(_ fault: ListenFault, host: String, port: Int) {
        switch fault {
        case .portInUse:
            self = .portInUse(host: host, port: port)
        case .refused(let number):
            self = .cannotListen(
                host: host, port: port, reason: "\(SystemFault(number: number))",
                advice: fault.advice)
        case .unknownHost:
            self = .cannotListen(
                host: host, port: port, reason: "no address is known for that host",
                advice: fault.advice)
        }
    }
}

final class OpenPorts: Sendable {
    private let awaitsTLS: Bool
    private let open: Mutex<(http: Int?, tls: Int?)> = Mutex((nil, nil))

    init(awaitsTLS: Bool) {
        self.awaitsTLS = awaitsTLS
    }

    /// Notes an open port, and returns both ports when all are open.
    func opened(_ port: Int, isTLS: Bool) -> (http: Int, tls: Int?)? {
        open.withLock { open in
            if isTLS { open.tls = port } else { open.http = port }
            guard let http = open.http, !awaitsTLS || open.tls != nil else { return nil }
            return (http, open.tls)
        }
    }
}
