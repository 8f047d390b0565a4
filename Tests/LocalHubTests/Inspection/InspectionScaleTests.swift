import TestSupport
import Testing

@testable import LocalHub

/// That an answer looks at a bounded number of messages and devices, and at few of them at a time, by counting.
@Suite(.bounded, .serialized)
struct InspectionScaleTests {
    private static let devices = 10_000
    private static let rounds = 10
    private static let messages = devices * rounds

    /// A hub with 10,000 devices that got ten messages each, `user0` first.
    private static let hub: HubStore? = {
        let hub = HubStore(
            name: "h", description: HubDescription(created: HubUnderTest.now),
            limits: LocalHubLimits())
        do {
            let send = try SendRequest(
                ["servicebusnotification-format": "apple"], payload: Array("{}".utf8),
                to: .everyone)
            for number in 0..<devices {
                try hub.update { state throws(HubFailure) in
                    try state.put(
                        Registration(
                            id: "\(number)", platform: .apns, channel: .handle("\(number)"),
                            tags: ["username:user\(number)"]))
                }
            }
            for round in 0..<rounds {
                hub.update { state in
                    _ = state.deliver(
                        send, id: "\(round)", enqueued: HubUnderTest.now, now: HubUnderTest.now,
                        fault: { _ in nil })
                }
            }
            return hub
        } catch {
            return nil
        }
    }()

    private func search(
        _ change: (inout MessageQuery) -> Void = { _ in }
    ) throws -> (page: MessagePage, budget: LookBudget) {
        var query = MessageQuery()
        change(&query)
        var search = MessageSearch(query, in: try #require(Self.hub))
        let page = search.page()
        return (page, search.budget)
    }

    @Test func thePageOfTheNewestLooksAtNoOther() throws {
        let (page, budget) = try search()
        #expect(page.newest == Self.messages)
        #expect(page.messages.count == 50)
        #expect(page.older)
        // Of each the push and its registration, and one more that shows that there are older ones.
        #expect(budget.total == 2 * 51)
    }

    @Test func aPageInTheMiddleLooksAtNoOther() throws {
        #expect(try search { $0.before = 50_000 }.budget.total == 2 * 51)
        #expect(try search { $0.after = 50_000 }.budget.total == 2 * 50)
    }

    @Test func aUsersPageLooksIntoTheUsersMailboxes() throws {
        let (page, budget) = try search { $0.user = "user77" }
        #expect(page.messages.count == Self.rounds)
        #expect(budget.total == 1 + Self.rounds)
        var query = MessageQuery()
        query.user = "user9999"
        query.after = 15_000
        query.limit = 1
        var next = MessageSearch(query, in: try #require(Self.hub))
        #expect(next.next()?.entry.sequence == 20_000)
        #expect(next.budget.total == 2)
    }

    @Test func aSearchLooksAtFewAtATime() throws {
        let (page, budget) = try search { $0.search = UserSearch("USER123") }
        // user123 and user1230 to user1239, ten messages each, of which a page shows 50.
        #expect(page.messages.count == 50)
        #expect(page.older)
        #expect(budget.largestSlice <= LookBudget.slice + 1)
        let none = try search { $0.search = UserSearch("nobody") }
        #expect(none.page.messages.isEmpty)
        // Each push once, and each registration once: who owns a mailbox is remembered.
        #expect(none.budget.total == Self.messages + Self.devices)
        #expect(none.budget.largestSlice <= LookBudget.slice + 1)
    }

    @Test func aSearchForATextLooksAtFewAtATime() throws {
        let (page, budget) = try search { $0.find = TextSearch("nowhere") }
        #expect(page.messages.isEmpty)
        // Each push once, and each registration once; all pushes of a send share one body.
        #expect(budget.total == Self.messages + Self.devices)
        #expect(budget.largestSlice <= LookBudget.slice + 1)
        #expect(try search { $0.find = TextSearch("{") }.page.messages.count == 50)
    }

    @Test func aFilterThatNothingPassesLooksAtFewAtATime() throws {
        let (page, budget) = try search { $0.outcome = .refused }
        #expect(page.messages.isEmpty)
        #expect(!page.older)
        #expect(budget.total == Self.messages)
        #expect(budget.largestSlice <= LookBudget.slice)
    }

    @Test func aPageOfDevicesLooksAtNoOther() throws {
        let hub = try #require(Self.hub)
        var listing = DeviceListing(search: nil, from: 5_000, limit: 50, in: hub)
        let page = listing.page()
        #expect(page.devices.count == 50)
        #expect(page.total == Self.devices)
        #expect(page.next == 5_050)
        #expect(listing.budget.total == 2 * 50)
        var search = DeviceListing(search: UserSearch("user99"), from: 0, limit: 50, in: hub)
        #expect(search.page().total == 111)
        // Each registration, and the page's devices with theirs.
        #expect(search.budget.total == Self.devices + 2 * 50)
        #expect(search.budget.largestSlice <= LookBudget.slice + 1)
    }
}
