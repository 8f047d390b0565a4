import Foundation
import TestSupport
import Testing

@testable import LocalHub

/// Tests requests of broken or hostile clients on a real socket.
@Suite(.bounded)
struct BoundsTests {
    private func withHub<Value>(
        _ change: (inout LocalHubConfiguration) -> Void = { _ in },
        _ body: (Int, LocalHubServer) async throws -> Value
    ) async throws -> Value {
        let configuration = HubUnderTest.configuration {
            $0.devices = [LocalHubDevice(user: "alice", platform: .apns)]
            change(&$0)
        }
        return try await withLocalHub(configuration) { try await body($0.port, $1) }
    }

    /// A page of another site can also use the published keys.
    @Test("A large unauthorized batch is refused without being read")
    func largeUnauthorizedBatchIsRefusedWithoutBeingRead() async throws {
        try await withHub { port, _ in
            let foreign = TestToken.make(
                .developmentSend, audience: "http://evil.example/", expiry: 4_102_444_800)
            for (host, token, status) in [("localhost", "", 401), ("evil.example", foreign, 403)] {
                let answer = try await RawConnection.exchange(
                    port: port,
                    "POST /hubsend/messages/$batch?direct HTTP/1.1\r\nHost: \(host)\r\n"
                        + "Authorization: \(token)\r\nContent-Length: 4000000\r\n\r\nx")
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
            }
        }
    }

    @Test(
        "A connection that never finishes a request is closed",
        arguments: ["", "POST /hubsend/mess", "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nX"])
    func connectionThatNeverFinishesARequestIsClosed(start: String) async throws {
        try await withHub({ $0.limits.idleTimeout = .milliseconds(50) }) { port, _ in
            let answer = try await RawConnection.exchange(port: port, start)
            #expect(answer.isEmpty)
        }
    }

    @Test("A request whose body stalls is cut off") func requestWhoseBodyStallsIsCutOff()
        async throws
    {
        try await withHub({ $0.limits.bodyTimeout = .milliseconds(50) }) { port, hub in
            let whole = RawConnection.send()
            let answer = try await RawConnection.exchange(port: port, String(whole.dropLast(5)))
            #expect(answer.isEmpty)
            #expect(hub.counts.sends == 0)
        }
    }

    @Test("A connection can carry several requests")
    func connectionCanCarrySeveralRequests() async throws {
        try await withHub { port, hub in
            let open = RawConnection.send().replacing("Connection: close\r\n", with: "")
            let answer = try await RawConnection.exchange(
                port: port, open + open + RawConnection.send())
            #expect(answer.components(separatedBy: "HTTP/1.1 201 Created").count == 4)
            #expect(await hub.received(by: "alice").count == 3)
        }
    }
}
