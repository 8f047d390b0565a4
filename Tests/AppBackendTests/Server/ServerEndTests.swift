import CampaignCore
import Synchronization
import TestServing
import TestSupport
import Testing

@testable import AppBackend

/// A stopping server waits for responses in progress, up to its grace period.
@Suite(.bounded)
struct ServerEndTests {
    private static let get = "GET /health HTTP/1.1\r\nHost: a\r\n"

    /// Stops a server while a client keeps its connection open; returns only if the server stops.
    private func endServer(
        _ moment: StubbornClient.Moment,
        _ request: @escaping @Sendable (BackendUnderTest) async throws -> String
    ) async throws {
        try await BackendUnderTest.listen({
            $0.limits.shutdownGrace = .milliseconds(50)
            $0.limits.idleTimeout = .seconds(3_600)
            $0.limits.bodyTimeout = .seconds(3_600)
            $0.limits.stallTimeout = .seconds(3_600)
        }) { backend, server in
            try await StubbornClient.hold(
                port: server.port, try await request(backend), until: moment
            ) {
                await server.stop()
                await server.hasStopped()
            }
        }
    }

    @Test("An idle connection does not delay the stop of the server")
    func idleConnectionDoesNotDelayTheStopOfTheServer() async throws {
        try await endServer(.answered) { _ in Self.get + "\r\n" }
    }

    @Test("A half-closed connection is cut off when the server stops")
    func halfClosedConnectionIsCutOffWhenTheServerStops() async throws {
        try await endServer(.ended) { _ in Self.get + "Connection: close\r\n\r\n" }
    }

    @Test("An unfinished request is cut off when the server stops")
    func unfinishedRequestIsCutOffWhenTheServerStops() async throws {
        try await endServer(.answered) { _ in
            Self.get
                + "\r\nPUT /api/register/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc"
        }
    }

    @Test("A response that nobody reads is cut off when the server stops")
    func responseThatNobodyReadsIsCutOffWhenTheServerStops() async throws {
        try await endServer(.choked) { backend in
            let large = [UInt8](repeating: 7, count: 48 << 20)
            let id = try await backend.notify(
                [.alice], kind: .rich, content: FetchTests.file("image/png", large))
            return RawConnection.get("/api/notifications/\(id)", as: .alice)
        }
    }

    @Test("A response in flight is sent completely before the server stops")
    func responseInFlightIsSentCompletelyBeforeTheServerStops() async throws {
        let byteCount = 16 << 20
        let (bench, id, received) = try await BackendUnderTest.listen { backend, server in
            let large = [UInt8](repeating: 7, count: byteCount)
            let id = try await backend.notify(
                [.alice], kind: .rich, content: FetchTests.file("image/png", large))
            let received = try await RawConnection.pause(
                port: server.port, RawConnection.get("/api/notifications/\(id)", as: .alice)
            ) {
                // The server closes idle connections as soon as it begins to stop, so the end of
                // this one shows that it has begun.
                _ = try await RawConnection.pause(port: server.port, Self.get + "\r\n") {
                    await server.stop()
                }
            }
            await server.hasStopped()
            return (backend, id, received)
        }
        #expect(received > byteCount)
        #expect(try await bench.received(id, .alice)?.fetched != nil)
        #expect(try bench.auditLines().last?.contains(#""outcome":"ok""#) == true)
    }

    @Test("A request whose connection closes early is audited")
    func requestWhoseConnectionClosesEarlyIsAudited() async throws {
        let door = SignInDoor()
        let bench = try await BackendUnderTest.listen({
            $0.limits.shutdownGrace = .milliseconds(50)
            $0.signIn = door
        }) { backend, server in
            // The end of this connection shows that the grace period is over.
            _ = try await RawConnection.exchange(
                port: server.port, RawConnection.get("/api/notifications", as: .alice),
                whenSent: {
                    await door.arrival()
                    await server.stop()
                })
            door.open()
            await server.hasStopped()
            return backend
        }
        let last = try #require(try bench.auditLines().last)
        #expect(last.contains(#""user":"alice""#))
        #expect(last.contains(#""action":"list""#))
    }
}

/// Makes the first caller wait until this is opened, even if the task is cancelled.
private final class SignInDoor: SignIn {
    private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    func caller(
        authorization: String?, from address: IPAddress?
    ) async throws(SignInRefusal) -> Caller {
        await withCheckedContinuation { caller in
            waiting.withLock { $0 = caller }
            arrivals.continuation.yield()
        }
        return try await ScriptedSignIn().caller(authorization: authorization, from: address)
    }

    func arrival() async {
        for await _ in arrivals.stream { return }
    }

    func open() {
        waiting.withLock { $0 }?.resume()
    }
}
