import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import LocalHub

/// What arrives at a real socket from clients that are broken or hostile.
@Suite(.bounded)
struct BoundsTests {
    private func withHub<Value>(
        _ change: (inout LocalHubConfiguration) -> Void = { _ in },
        _ body: (Int, LocalHubServer) async throws -> Value
    ) async throws -> Value {
        var configuration = LocalHubConfiguration()
        configuration.now = { HubUnderTest.now }
        configuration.devices = [LocalHubDevice(user: "alice", platform: .apns)]
        change(&configuration)
        return try await withLocalHub(configuration: configuration, logger: HubUnderTest.quiet) {
            try await body($0.port, $1)
        }
    }

    @Test func aWholeSendOverRawBytesArrives() async throws {
        try await withHub { port, hub in
            let answer = try await RawConnection.exchange(port: port, RawConnection.send())
            #expect(answer.hasPrefix("HTTP/1.1 201 Created\r\n"))
            #expect(answer.contains("Location: http://127.0.0.1/hubsend/messages/"))
            #expect(answer.lowercased().contains("content-length: 0\r\n"))
            #expect(await hub.received(by: "alice").count == 1)
        }
    }

    static let malformed: [String] = [
        "garbage\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n",
        "GET\r\n\r\n",
        "GET /hubsend/messages\r\n\r\n",
        "GET /hubsend/messages HTTP/9.9\r\n\r\n",
        "G ET /hubsend/messages HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nConnection: close\r\n\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
        "POST /% HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nContent-Length: abc\r\n\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 40_000))\r\n\r\n",
        "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\n"
            + (1...200).map { "X-\($0): a\r\n" }.joined() + "\r\n",
        "POST /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    ]

    @Test(arguments: malformed.indices)
    func malformedHTTPGetsA4xxAndTheConnectionEnds(index: Int) async throws {
        try await withHub { port, hub in
            let answer = try await RawConnection.exchange(port: port, Self.malformed[index])
            #expect(
                answer.hasPrefix("HTTP/1.1 4"), "\(Self.malformed[index].prefix(80)): \(answer)")
            #expect(hub.counts.sends == 0)
            // The hub is still there.
            let next = try await RawConnection.exchange(port: port, RawConnection.send())
            #expect(next.hasPrefix("HTTP/1.1 201"))
        }
    }

    @Test func anAnnouncedBodyThatIsTooLargeIsRefusedUnread() async throws {
        try await withHub { port, _ in
            let answer = try await RawConnection.exchange(
                port: port,
                "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000000\r\n\r\nx"
            )
            #expect(answer.hasPrefix("HTTP/1.1 413"))
            #expect(answer.contains("<Error><Code>413</Code>"))
            #expect(answer.lowercased().contains("connection: close"))
        }
    }

    /// A page of another site has the published keys too.
    @Test func aLargeBatchOfSomebodyWhoMayNotSendIsRefusedUnread() async throws {
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

    @Test func anEndlessChunkedBodyIsRefusedOnceItIsTooLarge() async throws {
        try await withHub { port, _ in
            let chunk = "1000\r\n\(String(repeating: "x", count: 4_096))\r\n"
            let answer = try await RawConnection.exchange(
                port: port,
                "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(repeating: chunk, count: 17))
            #expect(answer.hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test func aChunkedBodyWithinTheLimitArrives() async throws {
        try await withHub { port, hub in
            let head = RawConnection.send(body: "").replacing(
                "Content-Length: 0", with: "Transfer-Encoding: chunked")
            let answer = try await RawConnection.exchange(
                port: port, head + "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 201"))
            #expect(await hub.received(by: "alice").map(\.text) == ["{}"])
        }
    }

    @Test func aClientThatWaitsFor100ContinueGetsIt() async throws {
        try await withHub { port, hub in
            let whole = RawConnection.send(headers: "Expect: 100-continue\r\n")
            let head = whole.dropLast(HubUnderTest.silent.count)
            let answer = try await RawConnection.exchange(
                port: port, String(head), then: HubUnderTest.silent)
            #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201"), "\(answer)")
            #expect(await hub.received(by: "alice").count == 1)
        }
    }

    @Test(arguments: ["", "POST /hubsend/mess", "POST /hubsend/messages HTTP/1.1\r\nHost: a\r\nX"])
    func aConnectionThatNeverFinishesARequestIsClosed(start: String) async throws {
        try await withHub({ $0.limits.idleTimeout = .milliseconds(50) }) { port, _ in
            let answer = try await RawConnection.exchange(port: port, start)
            #expect(answer.isEmpty)
        }
    }

    @Test func aBodyThatStallsIsGivenUp() async throws {
        try await withHub({ $0.limits.bodyTimeout = .milliseconds(50) }) { port, hub in
            let whole = RawConnection.send()
            let answer = try await RawConnection.exchange(port: port, String(whole.dropLast(5)))
            #expect(answer.isEmpty)
            #expect(hub.counts.sends == 0)
        }
    }

    @Test func requestsMayFollowEachOtherOnOneConnection() async throws {
        try await withHub { port, hub in
            let open = RawConnection.send().replacing("Connection: close\r\n", with: "")
            let answer = try await RawConnection.exchange(
                port: port, open + open + RawConnection.send())
            #expect(answer.components(separatedBy: "HTTP/1.1 201 Created").count == 4)
            #expect(await hub.received(by: "alice").count == 3)
        }
    }
}
