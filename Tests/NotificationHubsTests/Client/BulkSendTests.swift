import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct BulkSendTests {
    private func bulk(_ users: Range<Int>) throws -> BulkSend {
        var bulk = try BulkSend(
            format: .apple, headers: ["apns-push-type": "background", "apns-priority": "5"])
        for user in users {
            try bulk.add(Array("{\"id\":\"\(user)\"}".utf8), to: TagExpression(Tag("user:\(user)")))
        }
        return bulk
    }

    private func results(_ results: BulkResults) async -> [BulkResult] {
        var all: [BulkResult] = []
        for await batch in results { all += batch }
        return all.sorted { $0.index < $1.index }
    }

    private func tags(_ hub: ScriptedHub) -> [String?] {
        hub.record.requests.map { $0["ServiceBusNotification-Tags"] }
    }

    @Test("Every message is sent once, to its own recipients", arguments: Route.allCases)
    func everyMessageIsSentOnceToItsOwnRecipients(route: Route) async throws {
        try await NotificationHubClient.with(route: route) { client, hub in
            var bulk = try bulk(0..<200)
            try bulk.add(Array("{}".utf8), to: TagExpression(parsing: "(a && !b)"))
            let all = await results(client.send(bulk))

            #expect(all.map(\.index) == Array(0...200))
            #expect(
                all.allSatisfy {
                    $0.disposition == .accepted && $0.messageID == "id-1" && $0.requests == 1
                        && $0.detail.isEmpty
                })
            let sent = Dictionary(
                grouping: hub.record.requests, by: { $0["ServiceBusNotification-Tags"] })
            #expect(sent.count == 201)
            let last = try TagExpression(parsing: "(a && !b)").description
            #expect(sent[last]?.map(\.body) == [Array("{}".utf8)])
            let request = try #require(sent["user:7"]?.first)
            #expect(request.body == Array("{\"id\":\"7\"}".utf8))
            #expect(request["ServiceBusNotification-Format"] == "apple")
            #expect(request["Content-Type"] == "application/json")
            #expect(request["apns-push-type"] == "background")
            #expect(request["apns-priority"] == "5")
        }
    }

    @Test("A refused message does not affect the others")
    func refusedMessageDoesNotAffectTheOthers() async throws {
        let answers = [
            "user:0": ScriptedAnswer.accepted, "user:1": .status(400), "user:2": .close,
            "user:3": .status(429, [("Retry-After", "7")]),
        ]
        try await NotificationHubClient.with(script: { _, request in
            request["ServiceBusNotification-Tags"].flatMap { answers[$0] } ?? .silence
        }) { client, hub in
            let all = await results(client.send(try bulk(0..<4)))

            #expect(
                all.map(\.disposition) == [
                    .accepted, .rejected, .unknown, .retry(after: .seconds(7)),
                ])
            #expect(all.map(\.requests) == [1, 1, 1, 1])
            #expect(all[1].detail.contains("400"))
            // No message is sent twice, not even the one without a response.
            #expect(Set(tags(hub)).count == hub.record.requests.count)
        }
    }

    @Test("Iterating over the results twice does not send anything twice")
    func iteratingOverTheResultsTwiceDoesNotSendAnythingTwice() async throws {
        try await NotificationHubClient.with { client, hub in
            let sent = client.send(try bulk(0..<3))
            #expect(hub.record.requests.isEmpty)
            #expect(await results(sent).count == 3)
            #expect(await results(sent).isEmpty)
            let none = await results(client.send(try bulk(0..<0)))
            #expect(none.isEmpty)
            #expect(hub.record.requests.count == 3)
        }
    }

    private func firstIndex(_ results: BulkResults) async -> Int? {
        for await batch in results { return batch.first?.index }
        return nil
    }

    @Test("Leaving the loop over the results stops the sends")
    func leavingTheLoopOverTheResultsStopsTheSends() async throws {
        let gate = Gate()
        try await NotificationHubClient.with(
            script: { number, _ in
                number == 1 ? .accepted.held(by: gate) : .accepted
            }, concurrency: 1
        ) { client, hub in
            let first = await firstIndex(client.send(try bulk(0..<50)))
            #expect(first == 0)
            // After this call, the client knows that nobody is reading the results.
            _ = try await client.pushLane.openChannels()
            gate.open()
            let other = await results(client.send(try bulk(100..<101)))
            #expect(other.count == 1)
            #expect(Set(tags(hub)).isSubset(of: ["user:0", "user:1", "user:100"]))
        }
    }

    @Test("A cancelled bulk send reports its unsent messages")
    func cancelledBulkSendReportsItsUnsentMessages() async throws {
        let gate = Gate()
        let asked = Watched(0)
        try await NotificationHubClient.with(
            script: { _, _ in
                asked.update { $0 += 1 }
                return .accepted.held(by: gate)
            }, concurrency: 1
        ) { client, hub in
            let bulk = try bulk(0..<20)
            let task = Task {
                var all: [BulkResult] = []
                for await batch in client.send(bulk) {
                    all += batch
                    gate.open()
                }
                return all.sorted { $0.index < $1.index }
            }
            try await asked.wait { $0 == 1 }
            task.cancel()
            let all = await task.value

            #expect(all.map(\.index) == Array(0..<20))
            #expect(all.first?.disposition == .accepted)
            #expect(all.dropFirst().allSatisfy { $0.disposition == nil && $0.requests == 0 })
            #expect(hub.record.requests.count == 1)
        }
    }

    @Test("An unreachable hub makes all messages fail immediately")
    func unreachableHubMakesAllMessagesFailImmediately() async throws {
        try await NotificationHubClient.with(ScriptedHub.refusing) { client in
            let all = await results(client.send(try bulk(0..<100)))
            #expect(all.map(\.index) == Array(0..<100))
            #expect(all.allSatisfy { $0.disposition == .retry(after: nil) && $0.requests == 0 })
            #expect(Set(all.map(\.detail)) == ["connection refused"])
        }
    }

    @Test("A message that no hub would accept cannot be added")
    func messageThatNoHubWouldAcceptCannotBeAdded() throws {
        #expect(throws: NotificationError.headerNotAllowed) {
            try BulkSend(format: .apple, headers: ["Authorization": "x"])
        }
        let everybody = TagExpression(try Tag("a"))
        var bulk = try bulk(0..<BulkSend.messageLimit)
        #expect(throws: NotificationError.tooManyMessages) {
            try bulk.add([0x7B], to: everybody)
        }
        var other = try BulkSend(format: .fcmV1)
        #expect(throws: NotificationError.emptyBody) { try other.add([], to: everybody) }
        #expect(throws: NotificationError.bodyTooLarge) {
            try other.add(Array(repeating: 0x20, count: 65_537), to: everybody)
        }
        #expect(other.count == 0)
    }
}
