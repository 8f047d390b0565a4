import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded)
struct NextMessageTests {
    private static let path = "/.hubsend/messages/next"

    private func configuration(
        _ change: (inout LocalHubConfiguration) -> Void = { _ in }
    ) -> LocalHubConfiguration {
        HubUnderTest.configuration {
            $0.devices = ["alice", "bob"].map {
                LocalHubDevice(user: $0, platform: .apns)
            }
            change(&$0)
        }
    }

    private func get(_ path: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    }

    private func send(_ address: LocalHubAddress, to user: String = "alice") async throws {
        let answer = try await RawConnection.exchange(
            port: address.port, RawConnection.send(tags: "username:\(user)"))
        #expect(answer.hasPrefix("HTTP/1.1 201"), "\(answer)")
    }

    private func someoneWaits(_ server: LocalHubServer) async {
        _ = await server.streamCounts.first { $0 > 0 }
    }

    private func sequence(_ answer: String) throws -> Int {
        #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
        let body = try #require(answer.components(separatedBy: "\r\n\r\n").last)
        return try InboxAnswers.read(body, as: InboxAnswers.Message.self).sequence
    }

    @Test("The next message is found by the number of the last one")
    func nextMessageIsFoundByTheNumberOfTheLastOne() async throws {
        try await HubUnderTest.run({ $0.devices = configuration().devices }, setup: .live) { hub in
            for user in ["alice", "bob", "alice"] {
                _ = try await hub.send(tags: "username:" + user)
            }
            func next(_ query: String) async throws -> Int {
                try await hub.inspect(
                    "/messages/next" + query, as: InboxAnswers.Message.self
                ).sequence
            }
            #expect(try await next("") == 1)
            #expect(try await next("?after=0") == 1)
            #expect(try await next("?after=1") == 2)
            #expect(try await next("?user=alice&after=1") == 3)
            #expect(try await next("?user=bob&timeout=10m") == 2)
            // A number from before this hub was started.
            #expect(try await next("?after=77") == 1)
        }
    }

    @Test(
        "A waiting request returns the message when it arrives",
        arguments: [("", 1), ("?user=bob", 2), ("?user=bob&after=now", 2), ("?after=now", 1)])
    func waitingRequestReturnsTheMessageWhenItArrives(query: String, expected: Int) async throws {
        try await withLocalHub(configuration()) { address, server in
            async let answer = RawConnection.exchange(port: address.port, get(Self.path + query))
            await someoneWaits(server)
            try await send(address)
            try await send(address, to: "bob")
            let text = try await answer
            #expect(try sequence(text) == expected)
            #expect(text.contains("Connection: close"))
            #expect(server.listenerCount == 0)
        }
    }

    @Test("A waiting request also returns a refused message")
    func waitingRequestAlsoReturnsARefusedMessage() async throws {
        try await withLocalHub(configuration()) { address, server in
            async let answer = RawConnection.exchange(port: address.port, get(Self.path))
            await someoneWaits(server)
            _ = try await RawConnection.exchange(
                port: address.port,
                RawConnection.send(body: String(repeating: " ", count: 5_000) + "{}"))
            #expect(try await answer.contains("InvalidNotificationSize"))
        }
    }

    @Test(
        "A waiting request ends at its timeout",
        arguments: [("", 30), ("?timeout=90s", 90), ("?timeout=2m&user=alice", 120)])
    func waitingRequestEndsAtItsTimeout(query: String, seconds: Int) async throws {
        let clock = TestClock()
        let configuration = configuration { $0.sleep = { try await clock.sleep($0) } }
        try await withLocalHub(configuration) { address, server in
            async let answer = RawConnection.exchange(port: address.port, get(Self.path + query))
            await clock.waitForSleep(of: .seconds(seconds))
            clock.advance(by: Double(seconds))
            let text = try await answer
            #expect(text.hasPrefix("HTTP/1.1 404"), "\(text)")
            #expect(text.contains("application/json"))
            #expect(text.contains(#"{"error":"No matching message arrived"#))
            #expect(server.listenerCount == 0)
        }
    }

    @Test("When a client disconnects, its waiting request is freed")
    func whenAClientDisconnectsItsWaitingRequestIsFreed() async throws {
        let configuration = configuration { $0.limits.eventStreams = 1 }
        try await withLocalHub(configuration) { address, server in
            try await withThrowingTaskGroup(of: Void.self) { clients in
                clients.addTask {
                    _ = try await RawConnection.exchange(
                        port: address.port, get(Self.path + "?timeout=10m"))
                }
                await someoneWaits(server)
                let second = try await RawConnection.exchange(
                    port: address.port, get(Self.path)
                ) { $0.contains("\n\n") || $0.contains("}") }
                #expect(second.hasPrefix("HTTP/1.1 503"), "\(second)")
                // The client disconnects, which the hub notices with a delay.
                clients.cancelAll()
                _ = await server.streamCounts.first { $0 == 0 }
            }
            try await send(address)
            let third = try await RawConnection.exchange(
                port: address.port, get(Self.path)
            ) { $0.contains("}\n") }
            #expect(try sequence(third) == 1)
        }
    }

    @Test("A waiting request ends when the hub stops") func waitingRequestEndsWhenTheHubStops()
        async throws
    {
        let clock = TestClock()
        let configuration = configuration { $0.sleep = { try await clock.sleep($0) } }
        try await withThrowingTaskGroup(of: String.self) { clients in
            let server = try await withLocalHub(configuration) { address, server in
                clients.addTask {
                    try await RawConnection.exchange(
                        port: address.port, get(Self.path + "?timeout=10m"))
                }
                await clock.waitForSleep(of: .seconds(600))
                return server
            }
            #expect(server.listenerCount == 0)
            #expect(try await clients.next()?.hasPrefix("HTTP/1.1 503") == true)
        }
    }
}
