import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded)
struct ServerEndTests {
    private static let get = "GET /.hubsend HTTP/1.1\r\nHost: 127.0.0.1\r\n"

    /// Stops a hub while a client keeps its connection open; returns only if the hub stops.
    private func endHub(
        _ request: String, _ moment: StubbornClient.Moment,
        _ change: (inout LocalHubConfiguration) -> Void = { _ in }
    ) async throws {
        var configuration = LocalHubConfiguration()
        configuration.now = { HubUnderTest.now }
        configuration.devices = [LocalHubDevice(user: "alice", platform: .apns)]
        configuration.limits.shutdownGrace = .milliseconds(50)
        change(&configuration)
        let (addresses, ready) = AsyncStream.makeStream(of: LocalHubAddress.self)
        let server = try LocalHubServer(
            configuration: configuration, logger: HubUnderTest.quiet
        ) { ready.yield($0) }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { ready.finish() }
                try await server.run()
            }
            let address = try #require(await addresses.first { _ in true })
            try await StubbornClient.hold(port: address.port, request, until: moment) {
                tasks.cancelAll()
                try await tasks.waitForAll()
            }
        }
    }

    @Test("An idle connection is closed at shutdown")
    func idleConnectionIsClosedAtShutdown() async throws {
        try await endHub(Self.get + "\r\n", .answered)
    }

    @Test("A half-closed connection is cut off at shutdown")
    func halfClosedConnectionIsCutOffAtShutdown() async throws {
        try await endHub(Self.get + "Connection: close\r\n\r\n", .ended)
    }

    @Test("An unfinished request is cut off at shutdown")
    func unfinishedRequestIsCutOffAtShutdown() async throws {
        let head = RawConnection.send(headers: "Expect: 100-continue\r\n")
            .dropLast(HubUnderTest.silent.count)
        try await endHub(String(head), .answered)
    }

    @Test("An event stream that nobody reads is cut off at shutdown")
    func eventStreamThatNobodyReadsIsCutOffAtShutdown() async throws {
        let path = "/.hubsend/devices/alice/events"
        try await endHub("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", .choked)
    }

    @Test("A slow response is cut off at shutdown") func slowResponseIsCutOffAtShutdown()
        async throws
    {
        try await endHub(RawConnection.send(), .answered) {
            var rule = FaultRule(.slow(bytesPerSecond: 1))
            rule.scope = .all
            $0.faults = [rule]
        }
    }
}
