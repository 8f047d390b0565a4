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
            selection, hasFollowUps: false, at: TestBench.hub, in: bench.ledger)
        #expect(earlier.count == 1)
        return try await CampaignPlanner(ledger: nil).plan(
            campaign, audience: ListedAudience(named: named, excluded: excluded),
            sorter: TestBench.sorter(), including: earlier, now: TestBench.start)
    }

    @Test(
        "People of an earlier run are added to those in the files",
        arguments: [
            (nil, ["alice", "bob", "carol", "dave"]), ([.rejected], ["bob", "dave"]),
            ([.accepted, .rejected], ["alice", "bob", "carol", "dave"]), ([.failed], ["dave"]),
        ] as [(Set<Outcome>?, [String])])
    func peopleOfAnEarlierRunAreAddedToThoseInTheFiles(outcomes: Set<Outcome>?, expected: [String])
        async throws
    {
        let planned = try await plan(
            TestBench.campaign(), ListedAudience.people(["dave"]),
            Self.selection("spring", outcomes), on: try await sent())
        let people = try await planned.people.page(after: 0, limit: 9)
        #expect(people.map(\.username.text) == expected)
        #expect(planned.plan.counts.named == expected.count)
    }

    @Test("Exclusions apply to people of an earlier run")
    func exclusionsApplyToPeopleOfAnEarlierRun() async throws {
        let planned = try await plan(
            TestBench.campaign(), [], Self.selection(),
            excluded: ListedAudience.people(["carol"]), on: try await sent())
        #expect(
            planned.plan.counts == AudienceCounts(named: 3, duplicate: 0, excluded: 1, final: 2))
    }

    @Test("Excluding a run leaves out its people, by outcome if given")
    func excludingARunLeavesOutItsPeopleByOutcomeIfGiven() async throws {
        let bench = try await sent()
        for (outcomes, left) in [(nil, ["dave"]), ([.rejected], ["alice", "carol", "dave"])]
            as [(Set<Outcome>?, [String])]
        {
            let earlier = try await PeopleOfRun.last(
                Self.selection("spring", outcomes), hasFollowUps: false, at: TestBench.hub,
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

    @Test("An unfinished earlier run is reported, because its people can still change")
    func unfinishedEarlierRunIsReportedBecauseItsPeopleCanStillChange() async throws {
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

    @Test("Excluding a run also excludes people of its follow-up run")
    func excludingARunAlsoExcludesPeopleOfItsFollowUpRun() async throws {
        let bench = try await sent()
        bench.sender.answer { _, _, _ in .now(.accepted) }
        _ = try await bench.run(
            TestBench.campaign(), people: ListedAudience.people(["alice", "bob", "carol"]),
            mode: .followUp([.rejected]))
        let earlier = try await PeopleOfRun.last(
            Self.selection(), hasFollowUps: true, at: TestBench.hub, in: bench.ledger)
        let named = ListedAudience.people(["alice", "bob", "carol", "dave"])
        let planned = try await CampaignPlanner(ledger: nil).plan(
            TestBench.campaign(), audience: ListedAudience(named: named, excluded: []),
            sorter: TestBench.sorter(), excluding: earlier, now: TestBench.start)
        let people = try await planned.people.page(after: 0, limit: 9)
        #expect(people.map(\.username.text) == ["dave"])
    }

    @Test("People of an earlier run count towards the maximum")
    func peopleOfAnEarlierRunCountTowardsTheMaximum() async throws {
        let planned = try await plan(
            TestBench.campaign(maximum: 3), ListedAudience.people(["dave"]), Self.selection(),
            on: try await sent())
        #expect(planned.plan.problems == [.tooMany(final: 4, maximum: 3)])
    }

    /// People of a run have no values, so there can be no conflict.
    @Test("A file gives values to people of an earlier run")
    func fileGivesValuesToPeopleOfAnEarlierRun() async throws {
        let campaign = try TestBench.campaign(kind: .rich, message: "Hi {{name|there}}", type: "x")
        let planned = try await plan(
            campaign, ListedAudience.people(["bob"], values: ["Bob"]), Self.selection(),
            on: try await sent())
        let people = try await planned.people.page(after: 0, limit: 9)
        #expect(people.map { $0.values.first ?? nil } == [nil, "Bob", nil])
        #expect(planned.plan.valueConflicts.count == 0)
        #expect(planned.plan.problems.isEmpty)
    }

    @Test("An error about a person from a run shows the line that names the run")
    func errorAboutAPersonFromARunShowsTheLineThatNamesTheRun() async throws {
        let planned = try await plan(
            TestBench.campaign(), ListedAudience.people(["Bob"]), Self.selection(),
            on: try await sent())
        guard case .caseConflict(let conflict) = planned.plan.problems.first else {
            Issue.record("\(planned.plan.problems)")
            return
        }
        #expect(conflict.second.username.text == "bob")
        #expect(conflict.second.origin == AudienceOrigin(file: 0, line: 7))
    }

    @Test("A campaign without a finished run at the hub adds nobody")
    func campaignWithoutAFinishedRunAtTheHubAddsNobody() async throws {
        let bench = try await sent()
        let elsewhere = HubIdentity(host: "other.example", name: "main")
        for (campaign, hub) in [("summer", TestBench.hub), ("spring", elsewhere)] {
            let found = try await PeopleOfRun.last(
                Self.selection(campaign), hasFollowUps: false, at: hub, in: bench.ledger)
            #expect(found.isEmpty)
        }
    }
}
