import CampaignCore
import Delivery
import TestSupport
import Testing

@Suite(.bounded) struct PeopleOfRunTests {
    private static func selection(
        _ campaign: String = "spring", _ outcomes: Set<Outcome>? = nil, fetched: Bool? = nil
    ) -> RunSelection {
        RunSelection(
            campaign: campaign, outcomes: outcomes, fetched: fetched,
            origin: AudienceOrigin(file: 0, line: 7))
    }

    /// A campaign was sent to three people; the hub refused bob.
    private func sent() async throws -> TestBench {
        let bench = TestBench { _, username, _ in
            .now(username.text == "bob" ? .rejected : .accepted)
        }
        _ = try await bench.run(
            TestBench.campaign(), people: ListedAudience.people(["alice", "bob", "carol"]))
        return bench
    }

    private func plan(
        _ campaign: Campaign, _ named: [AudienceMember], _ selection: RunSelection,
        excluded: [AudienceMember] = [], on bench: TestBench
    ) async throws -> PlannedAudience {
        let earlier = try await PeopleOfRun.last(
            selection, hasRests: false, at: TestBench.hub, in: bench.ledger)
        #expect(earlier.count == 1)
        return try await CampaignPlanner(ledger: nil).plan(
            campaign, audience: ListedAudience(named: named, excluded: excluded),
            sorter: TestBench.sorter(), including: earlier, now: TestBench.start)
    }

    @Test(
        arguments: [
            (nil, ["alice", "bob", "carol", "dave"]), ([.rejected], ["bob", "dave"]),
            ([.accepted, .rejected], ["alice", "bob", "carol", "dave"]), ([.failed], ["dave"]),
        ] as [(Set<Outcome>?, [String])])
    func theyAreSentToBesideWhomFilesName(outcomes: Set<Outcome>?, expected: [String]) async throws
    {
        let planned = try await plan(
            TestBench.campaign(), ListedAudience.people(["dave"]),
            Self.selection("spring", outcomes), on: try await sent())
        let people = try await planned.people.page(after: 0, limit: 9)
        #expect(people.map(\.username.text) == expected)
        #expect(planned.plan.counts.named == expected.count)
    }

    @Test func exclusionsHoldForThemToo() async throws {
        let planned = try await plan(
            TestBench.campaign(), [], Self.selection(),
            excluded: ListedAudience.people(["carol"]), on: try await sent())
        #expect(
            planned.plan.counts == AudienceCounts(named: 3, duplicate: 0, excluded: 1, final: 2))
    }

    @Test("An exclusion of a run leaves out its people, also with a choice of outcomes")
    func exclusion() async throws {
        let bench = try await sent()
        for (outcomes, left) in [(nil, ["dave"]), ([.rejected], ["alice", "carol", "dave"])]
            as [(Set<Outcome>?, [String])]
        {
            let earlier = try await PeopleOfRun.last(
                Self.selection("spring", outcomes), hasRests: false, at: TestBench.hub,
                in: bench.ledger)
            let named = ListedAudience.people(["alice", "bob", "carol", "dave"])
            let planned = try await CampaignPlanner(ledger: nil).plan(
                TestBench.campaign(), audience: ListedAudience(named: named, excluded: []),
                sorter: TestBench.sorter(), excluding: earlier, now: TestBench.start)
            let people = try await planned.people.page(after: 0, limit: 9)
            #expect(people.map(\.username.text) == left)
            #expect(planned.plan.counts.excluded == 4 - left.count)
        }
    }

    @Test("A run that is not finished leaves its people unsettled")
    func unsettled() async throws {
        let bench = try await sent()
        func unsettled() async throws -> RunRecord? {
            try await PeopleOfRun.unsettled(
                Self.selection(), for: "autumn", at: TestBench.hub, in: bench.ledger)
        }
        #expect(try await unsettled() == nil)
        bench.sender.answer { _, _, _ in .now(.stop(.credentials)) }
        let paused = try await bench.run(
            TestBench.campaign(), people: ListedAudience.people(["alice"]), mode: .again)
        #expect(try await unsettled()?.id == paused.record.id)
        bench.sender.answer { _, _, _ in .now(.accepted) }
        _ = try await bench.run(
            TestBench.campaign(), people: ListedAudience.people(["dave"]),
            mode: .occurrence(#require(Occurrence(key: "later"))))
        #expect(try await unsettled()?.id == paused.record.id)
    }

    @Test("After a sending to the people who were left, all people of both are excluded")
    func exclusionAfterRest() async throws {
        let bench = try await sent()
        bench.sender.answer { _, _, _ in .now(.accepted) }
        _ = try await bench.run(
            TestBench.campaign(), people: ListedAudience.people(["alice", "bob", "carol"]),
            mode: .rest([.rejected]))
        let earlier = try await PeopleOfRun.last(
            Self.selection(), hasRests: true, at: TestBench.hub, in: bench.ledger)
        let named = ListedAudience.people(["alice", "bob", "carol", "dave"])
        let planned = try await CampaignPlanner(ledger: nil).plan(
            TestBench.campaign(), audience: ListedAudience(named: named, excluded: []),
            sorter: TestBench.sorter(), excluding: earlier, now: TestBench.start)
        let people = try await planned.people.page(after: 0, limit: 9)
        #expect(people.map(\.username.text) == ["dave"])
    }

    @Test func theMostThatACampaignMayReachCountsThemToo() async throws {
        let planned = try await plan(
            TestBench.campaign(maximum: 3), ListedAudience.people(["dave"]), Self.selection(),
            on: try await sent())
        #expect(planned.plan.faults == [.tooMany(final: 4, maximum: 3)])
    }

    /// They have no values of their own, so nothing can contradict.
    @Test func aFileThatNamesThemTooGivesThemTheirValues() async throws {
        let campaign = try TestBench.campaign(kind: .rich, message: "Hi {{name|there}}", type: "x")
        let planned = try await plan(
            campaign, ListedAudience.people(["bob"], values: ["Bob"]), Self.selection(),
            on: try await sent())
        let people = try await planned.people.page(after: 0, limit: 9)
        #expect(people.map { $0.values.first ?? nil } == [nil, "Bob", nil])
        #expect(planned.plan.valueConflicts.count == 0)
        #expect(planned.plan.faults.isEmpty)
    }

    @Test func aFaultAboutOneOfThemStandsWhereTheRunIsNamed() async throws {
        let planned = try await plan(
            TestBench.campaign(), ListedAudience.people(["Bob"]), Self.selection(),
            on: try await sent())
        guard case .caseConflict(let conflict) = planned.plan.faults.first else {
            Issue.record("\(planned.plan.faults)")
            return
        }
        #expect(conflict.second.username.text == "bob")
        #expect(conflict.second.origin == AudienceOrigin(file: 0, line: 7))
    }

    @Test func withoutAFinishedRunAtTheHubThereIsNobody() async throws {
        let bench = try await sent()
        let elsewhere = HubIdentity(host: "other.example", name: "main")
        for (campaign, hub) in [("summer", TestBench.hub), ("spring", elsewhere)] {
            let found = try await PeopleOfRun.last(
                Self.selection(campaign), hasRests: false, at: hub, in: bench.ledger)
            #expect(found.isEmpty)
        }
    }
}
