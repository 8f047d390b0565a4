import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded)
struct ChangeEventTests {
    private static let path = "/.hubsend/changes"

    @Test("An HTTP/1.0 client gets a stream without chunks")
    func http10ClientGetsAStreamWithoutChunks() async throws {
        let configuration = configuration(TestClock())
        try await withLocalHub(configuration) { address, _ in
            let answer = try await RawConnection.exchange(
                port: address.port,
                "GET \(Self.path) HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n"
            ) { $0.contains("\n\n") }
            #expect(answer.hasPrefix("HTTP/1.0 200 OK\r\n"))
            #expect(answer.contains("Connection: close\r\n"))
            #expect(!answer.lowercased().contains("transfer-encoding"))
        }
    }

    private func configuration(
        _ clock: TestClock, _ change: (inout LocalHubConfiguration) -> Void = { _ in }
    ) -> LocalHubConfiguration {
        HubUnderTest.configuration {
            $0.sleep = { try await clock.sleep($0) }
            $0.devices = [LocalHubDevice(user: "alice", platform: .apns)]
            change(&$0)
        }
    }

    private func overviews(_ events: EventReader.Events) throws -> [InboxAnswers.Overview] {
        try events.text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("data: ") }
            .map { try InboxAnswers.read(String($0.dropFirst(6)), as: InboxAnswers.Overview.self) }
    }

    private func tick(_ clock: TestClock) async {
        await clock.waitForSleep(of: .milliseconds(250))
        clock.advance(by: 0.25)
    }

    private func keepTicking(_ clock: TestClock) async {
        while !Task.isCancelled { await tick(clock) }
    }

    private func change(
        _ address: LocalHubAddress, _ method: String, _ path: String,
        body: String = ""
    ) async throws {
        let answered = try await RawConnection.exchange(
            port: address.port,
            "GET /.hubsend/token HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        let token = try #require(answered.components(separatedBy: "\r\n\r\n").last)
        let answer = try await RawConnection.exchange(
            port: address.port,
            """
            \(method) \(path) HTTP/1.1\r
            Host: 127.0.0.1\r
            Hubsend-Token: \(token.prefix { !$0.isNewline })\r
            Content-Length: \(body.utf8.count)\r
            Connection: close\r
            \r
            \(body)
            """)
        #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    }

    @Test("Every change sends one event") func everyChangeSendsOneEvent() async throws {
        let clock = TestClock()
        try await withLocalHub(configuration(clock)) { address, _ in
            var step = 0
            let events = try await EventReader.read(port: address.port, Self.path) { events in
                let known = try overviews(events).count
                guard known > step else { return false }
                step = known
                switch step {
                case 1:
                    let sent = try await RawConnection.exchange(
                        port: address.port, RawConnection.send())
                    #expect(sent.hasPrefix("HTTP/1.1 201"))
                case 2:
                    try await change(address, "DELETE", "/.hubsend/messages")
                case 3:
                    let sent = try await RawConnection.exchange(
                        port: address.port, RawConnection.send(tags: "username:nobody"))
                    #expect(sent.hasPrefix("HTTP/1.1 201"))
                case 4:
                    try await change(address, "PUT", "/.hubsend/faults/switch", body: "off")
                default:
                    return true
                }
                // One of two checks sees the change.
                await tick(clock)
                await tick(clock)
                return false
            }
            let told = try overviews(events)
            #expect(told.map(\.newest) == [0, 1, 1, 1, 1])
            #expect(told.map(\.counts.arrived) == [0, 1, 1, 1, 1])
            #expect(told.map(\.counts.cleared) == [0, 0, 1, 1, 1])
            #expect(told.map(\.counts.without_target) == [0, 0, 0, 1, 1])
            #expect(told.map(\.faults.on) == [true, true, true, true, false])
            #expect(told.map(\.devices) == [1, 1, 1, 1, 1])
            #expect(told.first?.hub == "hubsend")
            #expect(told.first?.hubs == ["hubsend"])
            #expect(events.text.contains("Content-Type: text/event-stream"))
            #expect(events.text.contains("event: change\ndata: {\"backend\":null,\"counts\":{"))
        }
    }

    @Test("An idle change stream sends a comment every 15 seconds")
    func idleChangeStreamSendsACommentEvery15Seconds() async throws {
        let clock = TestClock()
        try await withLocalHub(configuration(clock)) { address, _ in
            async let _: Void = keepTicking(clock)
            let events = try await EventReader.read(port: address.port, Self.path) { events in
                events.text.components(separatedBy: ":\n\n").count > 2
            }
            #expect(try overviews(events).count == 1)
            // A check may be missed on a busy machine, but there is never an additional one.
            #expect(clock.now.timeIntervalSince(HubUnderTest.now) >= 30)
        }
    }

    @Test("A change stream is freed when its client disconnects")
    func changeStreamIsFreedWhenItsClientDisconnects() async throws {
        let clock = TestClock()
        let configuration = configuration(clock) { $0.limits.eventStreams = 1 }
        try await withLocalHub(configuration) { address, server in
            _ = try await EventReader.read(port: address.port, Self.path) { first in
                guard first.text.contains("event: change") else { return false }
                let second = try await EventReader.read(port: address.port, Self.path) { _ in true }
                #expect(second.text.hasPrefix("HTTP/1.1 503"))
                return true
            }
            // The hub notices the end of the connection with a delay.
            _ = await server.streamCounts.first { $0 == 0 }
            let third = try await EventReader.read(port: address.port, Self.path) { _ in true }
            #expect(third.text.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("A change stream ends when the hub stops") func changeStreamEndsWhenTheHubStops()
        async throws
    {
        let clock = TestClock()
        let configuration = configuration(clock)
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: EventReader.Events.self) { clients in
            try await withLocalHub(configuration) { address, _ in
                clients.addTask {
                    try await EventReader.read(port: address.port, Self.path) { events in
                        if events.text.contains("event: change") { begin.yield() }
                        return false
                    }
                }
                _ = await began.first { true }
            }
            #expect(try await clients.next()?.text.hasSuffix("0\r\n\r\n") == true)
        }
    }

    @Test("Deleting a hub ends its change stream")
    func deletingAHubEndsItsChangeStream() async throws {
        let clock = TestClock()
        try await withLocalHub(configuration(clock)) { address, _ in
            let events = try await EventReader.read(port: address.port, Self.path) { events in
                if events.text.hasSuffix("\n\n\r\n") {
                    let answer = try await RawConnection.exchange(
                        port: address.port,
                        """
                        DELETE /hubsend?api-version=2020-06 HTTP/1.1\r
                        Host: 127.0.0.1\r
                        Authorization: \(RawConnection.token)\r
                        Connection: close\r
                        \r

                        """)
                    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
                    await tick(clock)
                }
                return events.text.hasSuffix("0\r\n\r\n")
            }
            #expect(events.text.hasSuffix("0\r\n\r\n"))
        }
    }
}
