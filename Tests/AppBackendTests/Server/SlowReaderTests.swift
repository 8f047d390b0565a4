import CampaignCore
import Foundation
import HTTPTypes
import NIOCore
import TestServing
import TestSupport
import Testing

@testable import AppBackend

/// Slow clients over real sockets get their responses and do not block others.
@Suite(.bounded)
struct SlowReaderTests {
    /// More bytes than the system buffers between two sockets.
    private static let byteCount = 16 << 20
    private static let content = FetchTests.file(
        "image/png", [UInt8](repeating: 7, count: byteCount))

    private static func get(_ id: NotificationID, as user: Username) -> String {
        RawConnection.get("/api/notifications/\(id)", as: user)
    }

    @Test("A client that is still reading does not count as idle")
    func clientThatIsStillReadingDoesNotCountAsIdle() async throws {
        let (bench, id, received) = try await BackendUnderTest.listen({
            $0.limits.idleTimeout = .milliseconds(50)
        }) { backend, server in
            let id = try await backend.notify([.alice], kind: .rich, content: Self.content)
            var received = 0
            // On a busy machine, the client may be idle for too long before its request.
            while received == 0 {
                received = try await RawConnection.pause(
                    port: server.port, Self.get(id, as: .alice)
                ) {
                    // An idle connection that began later is already closed, which shows how much
                    // time has passed.
                    for _ in 1...2 {
                        _ = try await RawConnection.pause(
                            port: server.port, "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
                        ) {}
                    }
                }
            }
            return (backend, id, received)
        }
        #expect(received > Self.byteCount)
        #expect(try await bench.received(id, .alice)?.fetched != nil)
        #expect(try bench.auditLines().last?.contains(#""outcome":"ok""#) == true)
    }

    @Test("A client that never reads does not block other clients")
    func clientThatNeverReadsDoesNotBlockOtherClients() async throws {
        try await BackendUnderTest.listen({
            $0.limits.answerBytes = 5 * Self.byteCount
        }) { backend, server in
            let id = try await backend.notify([.alice, .bob], kind: .rich, content: Self.content)
            let (answer, beginnings) = try await Self.stall(
                5, port: server.port, Self.get(id, as: .alice)
            ) {
                try await backend.request(.get, "/api/notifications/\(id)", as: .bob)
            }
            #expect(answer.status == .ok)
            #expect(answer.body.readableBytes == Self.byteCount)
            #expect(beginnings.first?.hasPrefix("HTTP/1.1 200") == true)
            // The first request uses up Alice's share.
            for beginning in beginnings.dropFirst() {
                #expect(beginning.hasPrefix("HTTP/1.1 503"))
                #expect(beginning.lowercased().contains("retry-after: 1\r\n"))
            }
            let refusals = try backend.auditLines().filter { $0.contains("unavailable") }
            #expect(refusals.count == 4)
            #expect(refusals.allSatisfy { $0.contains("responses to this user are in flight") })
        }
    }

    /// Makes `count` requests, reads the beginning of each response, then makes another request.
    ///
    /// - Returns: the response to the last request, and the beginnings of the others.
    private static func stall(
        _ count: Int, port: Int, _ request: String, _ beginnings: [String] = [],
        while work: @escaping @Sendable () async throws -> TestResponse
    ) async throws -> (TestResponse, [String]) {
        guard beginnings.count < count else { return (try await work(), beginnings) }
        return try await RawConnection.stall(port: port, request) { beginning in
            try await stall(count, port: port, request, beginnings + [beginning], while: work)
        }
    }
}
