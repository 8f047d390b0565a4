import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded)
struct PushEventTests {
    private static let path = "/.hubsend/devices/alice/events"

    private func configuration(
        _ change: (inout LocalHubConfiguration) -> Void = { _ in }
    ) -> LocalHubConfiguration {
        HubUnderTest.configuration {
            $0.devices = [LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")]
            change(&$0)
        }
    }

    private func send(_ address: LocalHubAddress, tags: String = "username:alice") async throws {
        let answer = try await RawConnection.exchange(
            port: address.port, RawConnection.send(tags: tags))
        #expect(answer.hasPrefix("HTTP/1.1 201"), "\(answer)")
    }

    @Test("A push stream sends stored pushes first, then new ones")
    func pushStreamSendsStoredPushesFirstThenNewOnes() async throws {
        try await withLocalHub(configuration()) { address, _ in
            try await send(address)
            var sent = false
            let events = try await EventReader.read(port: address.port, Self.path) { events in
                if !sent, events.ids == [1] {
                    sent = true
                    try await send(address)
                }
                return events.ids.count == 2
            }
            #expect(events.ids == [1, 2])
            #expect(events.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            for header in [
                "Content-Type: text/event-stream", "Cache-Control: no-store",
                "X-Content-Type-Options: nosniff", "Cross-Origin-Resource-Policy: same-origin",
                "Referrer-Policy: no-referrer",
            ] {
                #expect(events.text.contains(header))
            }
            #expect(!events.text.lowercased().contains("access-control"))
            #expect(events.text.contains("id: 1\nevent: push\ndata: {\"body\":"))
            #expect(events.text.contains(#""handle":"AB12""#))
            #expect(events.text.contains(#""outcome":"Success","platform":"apns""#))
        }
    }

    @Test(
        "A push stream resumes after the client's last event",
        arguments: [
            ("?after=2", "", [3]), ("", "Last-Event-ID: 1\r\n", [2, 3]),
            ("?after=1", "Last-Event-ID: 2\r\n", [3]), ("?after=77", "", [1, 2, 3]),
        ])
    func pushStreamResumesAfterTheClientsLastEvent(
        query: String, header: String, ids: [Int]
    ) async throws {
        try await withLocalHub(configuration()) { address, _ in
            for _ in 1...3 { try await send(address) }
            let events = try await EventReader.read(
                port: address.port, Self.path + query, headers: header
            ) { $0.ids.last == 3 }
            #expect(events.ids == ids)
        }
    }

    @Test("A push stream includes devices registered later")
    func pushStreamIncludesDevicesRegisteredLater() async throws {
        let configuration = configuration { $0.devices = [] }
        try await withLocalHub(configuration) { address, _ in
            var registered = false
            let events = try await EventReader.read(port: address.port, Self.path) { events in
                // The first comment shows that the stream is waiting.
                if !registered, events.text.contains(":\n\n") {
                    registered = true
                    let body =
                        #"{"installationId":"i","platform":"apns","pushChannel":"AB","userId":"alice"}"#
                    let answer = try await RawConnection.exchange(
                        port: address.port,
                        """
                        PUT /hubsend/installations/i?api-version=2020-06 HTTP/1.1\r
                        Host: 127.0.0.1\r
                        Authorization: \(RawConnection.token)\r
                        Content-Type: application/json\r
                        Content-Length: \(body.utf8.count)\r
                        Connection: close\r
                        \r
                        \(body)
                        """)
                    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
                    try await send(address, tags: "$UserId:{alice}")
                }
                return !events.ids.isEmpty
            }
            #expect(events.text.contains(#""installation":"i""#))
        }
    }

    @Test("A push stream covers only the requested devices")
    func pushStreamCoversOnlyTheRequestedDevices() async throws {
        let configuration = configuration {
            $0.devices.append(LocalHubDevice(user: "bob", platform: .apns, handle: "CD34"))
        }
        try await withLocalHub(configuration) { address, _ in
            var sent = false
            let events = try await EventReader.read(port: address.port, Self.path) { events in
                if !sent, events.text.contains(":\n\n") {
                    sent = true
                    try await send(address, tags: "username:bob")
                    try await send(address)
                }
                return !events.ids.isEmpty
            }
            #expect(events.ids == [2])
            #expect(!events.text.contains("CD34"))
        }
    }

    @Test("An idle push stream sends comments") func idlePushStreamSendsComments() async throws {
        let clock = TestClock()
        let configuration = configuration { $0.sleep = { try await clock.sleep($0) } }
        try await withLocalHub(configuration) { address, _ in
            var comments = 0
            let events = try await EventReader.read(port: address.port, Self.path) { events in
                let now = events.text.components(separatedBy: ":\n\n").count - 1
                if now > comments, now < 3 {
                    await clock.waitForSleep(of: .seconds(15))
                    clock.advance(by: 15)
                }
                comments = now
                return now == 3
            }
            #expect(events.ids.isEmpty)
        }
    }

    @Test("A push stream ends when the hub stops") func pushStreamEndsWhenTheHubStops() async throws
    {
        let configuration = configuration()
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: EventReader.Events.self) { clients in
            let server = try await withLocalHub(configuration) { address, server in
                clients.addTask {
                    try await EventReader.read(port: address.port, Self.path) { events in
                        if events.text.contains(":\n\n") { begin.yield() }
                        return false
                    }
                }
                _ = await began.first { true }
                #expect(server.listenerCount == 1)
                return server
            }
            #expect(server.listenerCount == 0)
            #expect(try await clients.next()?.text.hasSuffix("0\r\n\r\n") == true)
        }
    }

    @Test("A push stream is freed when its client disconnects")
    func pushStreamIsFreedWhenItsClientDisconnects() async throws {
        let configuration = configuration { $0.limits.eventStreams = 1 }
        try await withLocalHub(configuration) { address, server in
            _ = try await EventReader.read(port: address.port, Self.path) { first in
                guard first.text.contains(":\n\n") else { return false }
                let second = try await EventReader.read(port: address.port, Self.path) { _ in true }
                #expect(second.text.hasPrefix("HTTP/1.1 503"))
                #expect(second.text.contains("Retry-After: 1"))
                return true
            }
            // The hub notices the end of the connection with a delay.
            _ = await server.streamCounts.first { $0 == 0 }
            let third = try await EventReader.read(port: address.port, Self.path) { _ in true }
            #expect(third.text.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("Deleting a hub ends its push streams") func deletingAHubEndsItsPushStreams() async throws
    {
        try await withLocalHub(configuration()) { address, _ in
            let events = try await EventReader.read(port: address.port, Self.path) { events in
                if events.text.hasSuffix(":\n\n\r\n") {
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
                }
                return events.text.hasSuffix("0\r\n\r\n")
            }
            #expect(events.text.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test("Old pushes of several devices arrive in order")
    func oldPushesOfSeveralDevicesArriveInOrder() throws {
        let hub = HubStore(
            name: "h", description: HubDescription(created: HubUnderTest.now),
            limits: LocalHubLimits())
        let send = try SendRequest(
            ["servicebusnotification-format": "apple"], payload: Array("{}".utf8), to: .everyone)
        let device = LocalHubDevice(user: "alice", platform: .apns)
        for number in 0..<4 {
            try hub.update { state in
                try state.put(
                    device.installation(number: number), at: HubUnderTest.now
                ) { .random(in: .min ... .max) }
                for time in 1...3 {
                    _ = state.deliver(
                        send, id: "\(number) \(time)", enqueued: HubUnderTest.now,
                        now: HubUnderTest.now, fault: { _ in nil })
                }
            }
        }
        // 3 + 6 + 9 + 12 pushes.
        for (after, limit) in [(0, 100), (0, 7), (4, 1), (5, 11), (28, 7), (30, 7)] {
            let found = hub.update { $0.pushes(to: .user("alice"), after: after, limit: limit) }
            #expect(
                found.map(\.kept.sequence)
                    == Array((1...30).dropFirst(after).prefix(limit)), "\(after), \(limit)")
        }
    }

    @Test("A slow reader misses old pushes but does not use up memory")
    func slowReaderMissesOldPushesButDoesNotUseUpMemory() throws {
        var limits = LocalHubLimits()
        limits.pushesPerDevice = 5
        let hub = HubStore(
            name: "h", description: HubDescription(created: HubUnderTest.now), limits: limits)
        let device = LocalHubDevice(user: "alice", platform: .apns)
        try hub.update { state in
            try state.put(
                device.installation(number: 0), at: HubUnderTest.now
            ) { .random(in: .min ... .max) }
        }
        let subscription = PushSubscription(to: .user("alice"), of: hub)
        let send = try SendRequest(
            ["servicebusnotification-format": "apple"], payload: Array("{}".utf8), to: .everyone)
        for number in 1...1_000 {
            hub.update { state in
                _ = state.deliver(
                    send, id: "\(number)", enqueued: HubUnderTest.now, now: HubUnderTest.now,
                    fault: { _ in nil })
            }
        }
        let events = hub.update { $0.pushes(to: .user("alice"), after: 0, limit: 100) }
        #expect(events.map(\.kept.sequence) == Array(996...1_000))
        withExtendedLifetime(subscription) {}
    }
}
