import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct MessageSearchTests {
    /// A hub with a hundred devices, of `user0` to `user99`; each got ten messages, in this order.
    private func hub() throws -> HubState {
        var hub = HubState(
            description: HubDescription(created: HubUnderTest.now), limits: LocalHubLimits())
        for number in 0..<100 {
            try hub.put(
                Registration(
                    id: "\(number)", platform: .apns, channel: .handle("\(number)"),
                    tags: ["username:user\(number)"]))
        }
        for _ in 0..<10 { try send(to: &hub) }
        return hub
    }

    private func send(to hub: inout HubState) throws {
        let send = try SendRequest(
            ["servicebusnotification-format": "apple"], payload: Array("{}".utf8), to: .everyone)
        hub.deliver(
            send, id: "\(hub.counts.sends)", enqueued: HubUnderTest.now, now: HubUnderTest.now,
            fault: { _ in nil })
    }

    private func page(_ hub: HubState, _ change: (inout MessageQuery) -> Void) -> MessagePage {
        var query = MessageQuery()
        change(&query)
        return MessageSearch(query, in: hub).page()
    }

    @Test("A search uses the state at its start") func searchUsesTheStateAtItsStart() throws {
        var hub = try hub()
        let search = MessageSearch(MessageQuery(), in: hub)
        try send(to: &hub)
        _ = hub.devices.clear()
        let page = search.page()
        #expect(page.newest == 1_000)
        #expect(page.messages.count == 50)
        #expect(page.older)
    }

    @Test("A search covers all stored messages") func searchCoversAllStoredMessages() throws {
        let hub = try hub()
        // user1 and user10 to user19 match with ten messages each; a page shows 50.
        let found = page(hub) { $0.search = TextSearch("USER1") }
        #expect(found.messages.count == 50)
        #expect(found.older)
        #expect(page(hub) { $0.search = TextSearch("USER77") }.messages.count == 10)
        #expect(page(hub) { $0.find = TextSearch("user77") }.messages.count == 10)
        #expect(page(hub) { $0.find = TextSearch("{") }.messages.count == 50)
        #expect(page(hub) { $0.find = TextSearch("nowhere") }.messages.isEmpty)
        let none = page(hub) { $0.outcome = .refused }
        #expect(none.messages.isEmpty)
        #expect(!none.older)
    }

    @Test("The next message is the oldest message after the given number")
    func nextMessageIsTheOldestMessageAfterTheGivenNumber() throws {
        var query = MessageQuery()
        query.user = "user99"
        query.after = 150
        #expect(MessageSearch(query, in: try hub()).next()?.kept.sequence == 200)
    }
}
