import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Resolves a host name, only once for all concurrent callers.
///
/// The system's lookup can take longer than the connect timeout and cannot be interrupted. If the
/// connections looked up the name one after another, the later connections would time out, with an
/// error that blames the connection.
final class HostLookup {
    private let host: String
    private let port: Int
    private var pending: EventLoopFuture<[SocketAddress]>?

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Starts or joins a lookup; after the time limit, the lookup continues for later callers.
    ///
    /// Returns at least one address, or fails with ``UnresolvedName``.
    func addresses(
        on eventLoop: any EventLoop, within limit: TimeAmount
    ) -> EventLoopFuture<[SocketAddress]> {
        let answer = eventLoop.makePromise(of: [SocketAddress].self)
        let name = UnresolvedName(host: host)
        let timer = eventLoop.scheduleTask(in: limit) { answer.fail(name) }
        let question = pending ?? ask(on: eventLoop)
        question.whenComplete { result in
            timer.cancel()
            answer.completeWith(result)
        }
        return answer.futureResult
    }

    private func ask(on eventLoop: any EventLoop) -> EventLoopFuture<[SocketAddress]> {
        let question = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) {
            [host, port] in try Self.ask(for: host, port)
        }
        pending = question
        question.assumeIsolated().whenComplete { _ in self.pending = nil }
        return question
    }

    /// Queries the system, without a time limit.
    private static func ask(for host: String, _ port: Int) throws(UnresolvedName) -> [SocketAddress]
    {
        var hints = unsafe addrinfo()
        // Without this hint, each address would be listed once per socket type.
        unsafe hints.ai_protocol = Int32(IPPROTO_TCP)
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &first) == 0 else {
            throw UnresolvedName(host: host)
        }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = unsafe first
        while let entry = unsafe next {
            if let address = unsafe Self.address(entry.pointee, of: host) {
                addresses.append(address)
            }
            unsafe next = entry.pointee.ai_next
        }
        guard !addresses.isEmpty else { throw UnresolvedName(host: host) }
        return addresses
    }

    private static func address(_ entry: addrinfo, of host: String) -> SocketAddress? {
        guard let raw = unsafe UnsafeRawPointer(entry.ai_addr) else { return nil }
        switch unsafe entry.ai_family {
        case AF_INET:
            return SocketAddress(unsafe raw.loadUnaligned(as: sockaddr_in.self), host: host)
        case AF_INET6:
            return SocketAddress(unsafe raw.loadUnaligned(as: sockaddr_in6.self), host: host)
        default:
            return nil
        }
    }
}

struct UnresolvedName: Error, Hashable {
    let host: String
}

/// The resolved addresses, for the code that tries them one after another.
struct KnownAddresses: Resolver, Sendable {
    let addresses: [SocketAddress]
    let eventLoop: any EventLoop

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        eventLoop.makeSucceededFuture(addresses.filter { $0.protocol == .inet })
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        eventLoop.makeSucceededFuture(addresses.filter { $0.protocol == .inet6 })
    }

    func cancelQueries() {}
}
