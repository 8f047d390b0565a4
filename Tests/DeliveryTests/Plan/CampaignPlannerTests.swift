import CampaignCore
import Delivery
import Synchronization
import TestSupport
import Testing

@Suite(.bounded) struct CampaignPlannerTests {
    private func plan(
        _ campaign: Campaign, _ people: [AudienceMember], excluded: [AudienceMember] = [],
        only: [String]? = nil
    ) async throws -> CampaignPlan {
        try await CampaignPlanner(ledger: nil).plan(
            campaign, audience: ListedAudience(named: people, excluded: excluded),
            sorter: TestBench.sorter(),
            for: only.map { .rehearsal(Rehearsal(people: $0.map { Username(checked: $0) })) }
                ?? .all, now: TestBench.start
        ).plan
    }

    private func personal(
        kind: CampaignKind = .rich, platforms: [Platform] = [.apns]
    ) throws -> Campaign {
        try TestBench.campaign(kind: kind, platforms: platforms, message: "Hi {{name}}", type: "x")
    }

    private func person(_ name: String, _ value: String?) -> AudienceMember {
        AudienceMember(
            username: Username(checked: name), values: [value],
            origin: AudienceOrigin(file: 1, line: 1))
    }

    @Test("The counts show the composition of the audience")
    func countsShowTheCompositionOfTheAudience() async throws {
        let people = ListedAudience.people(["bob", "alice", "bob", "carol"])
        let campaign = try TestBench.campaign(
            platforms: [.apns, .fcm], delivery: DeliveryPolicy(rate: 2))
        let plan = try await plan(campaign, people, excluded: ListedAudience.people(["carol"]))
        #expect(plan.counts == AudienceCounts(named: 4, duplicate: 1, excluded: 1, final: 2))
        #expect(plan.problems.isEmpty)
        #expect(plan.deliveries == 4)
        #expect(plan.requests == 4)
        #expect(plan.duration == .seconds(2))
    }

    @Test("A person listed again with other values does not block the plan")
    func personListedAgainWithOtherValuesDoesNotBlockThePlan() async throws {
        let people = [person("alice", "A"), person("bob", "B"), person("alice", "C")]
        let plan = try await plan(personal(), people)
        #expect(plan.problems.isEmpty)
        #expect(plan.valueConflicts.count == 1)
        #expect(plan.valueConflicts.examples.map(\.first.username.text) == ["alice"])
    }

    @Test("Progress is reported while the audience is read")
    func progressIsReportedWhileTheAudienceIsRead() async throws {
        let told = Mutex<[AudienceProgress]>([])
        let planner = CampaignPlanner(ledger: nil) { step in told.withLock { $0.append(step) } }
        _ = try await planner.plan(
            TestBench.campaign(),
            audience: ListedAudience(
                named: ListedAudience.people(["bob", "alice", "bob"]),
                excluded: ListedAudience.people(["carol"])),
            sorter: TestBench.sorter(), now: TestBench.start)
        let steps = told.withLock { $0 }
        #expect(steps.first == .reading(0))
        #expect(steps.contains(.reading(3)))
        #expect(steps.last == .sorting(4))
    }

    @Test("All recipients are visited once, sorted by name", arguments: [false, true])
    func allRecipientsAreVisitedOnceSortedByName(isPersonal: Bool) async throws {
        var seen: [String] = []
        let people = ["bob", "alice", "dave", "bob", "carol"].map { person($0, "A") }
        _ = try await CampaignPlanner(ledger: nil).plan(
            isPersonal ? personal() : TestBench.campaign(),
            audience: ListedAudience(named: people, excluded: ListedAudience.people(["carol"])),
            sorter: TestBench.sorter(), visit: { seen += $0.map(\.username.text) },
            now: TestBench.start)
        #expect(seen == ["alice", "bob", "dave"])
    }

    @Test("With an unlimited rate, no duration is estimated")
    func withAnUnlimitedRateNoDurationIsEstimated() async throws {
        let campaign = try TestBench.campaign(delivery: DeliveryPolicy(rate: nil))
        #expect(try await plan(campaign, ListedAudience.people(["bob"])).duration == nil)
    }

    @Test("An empty audience is refused") func emptyAudienceIsRefused() async throws {
        let people = ListedAudience.people(["bob"])
        let plan = try await plan(TestBench.campaign(minimum: 9), people, excluded: people)
        #expect(plan.problems == [.empty(excluded: 1)])
        #expect(plan.platforms.map(\.worstBytes).allSatisfy { $0 > 0 })
    }

    @Test("Too few or too many recipients are refused")
    func tooFewOrTooManyRecipientsAreRefused() async throws {
        let people = ListedAudience.people(["alice", "bob"])
        let few = try await plan(TestBench.campaign(minimum: 3), people)
        #expect(few.problems == [.tooFew(final: 2, minimum: 3)])
        let many = try await plan(TestBench.campaign(maximum: 1), people)
        #expect(many.problems == [.tooMany(final: 2, maximum: 1)])
    }

    @Test("Names that differ only in case are refused")
    func namesThatDifferOnlyInCaseAreRefused() async throws {
        let plan = try await plan(
            TestBench.campaign(), ListedAudience.people(["alice", "Alice", "bob"]))
        guard case .caseConflict(let conflict) = plan.problems.first else {
            Issue.record("\(plan.problems)")
            return
        }
        #expect(conflict.first.username.text == "Alice")
        #expect(conflict.second.username.text == "alice")
        #expect(plan.problems.count == 1)
    }

    @Test("The minimum does not apply to a rehearsal")
    func minimumDoesNotApplyToARehearsal() async throws {
        let people = ListedAudience.people(["alice", "bob", "carol"])
        let plan = try await plan(TestBench.campaign(minimum: 3), people, only: ["bob", "bob"])
        #expect(plan.problems.isEmpty)
        #expect(plan.counts.final == 1)
    }

    @Test("A rehearsal reports people who are not in the audience")
    func rehearsalReportsPeopleWhoAreNotInTheAudience() async throws {
        let people = ListedAudience.people(["alice", "bob"])
        let error = await #expect(throws: RehearsalError.self) {
            try await plan(TestBench.campaign(), people, only: ["dave", "bob", "erin", "dave"])
        }
        #expect(error == .strangers(["dave", "erin"].map { Username(checked: $0) }))
        #expect(error?.description.hasPrefix("not in the campaign's audience: dave, erin;") == true)
    }

    @Test("A missing value is reported with its variable and person")
    func missingValueIsReportedWithItsVariableAndPerson() async throws {
        let missing = person("bob", nil)
        let plan = try await plan(personal(), [person("alice", "Ann"), missing])
        #expect(plan.problems == [.missingVariable(name: "name", member: missing)])
    }

    @Test("At most twenty missing values are listed")
    func atMostTwentyMissingValuesAreListed() async throws {
        let people = (100..<200).map { person("u\($0)", "") }
        let plan = try await plan(personal(), people)
        #expect(plan.problems.count == 20)
        #expect(try personal().samplePushes(to: people, now: TestBench.start).isEmpty)
    }

    @Test("The largest body is measured for the person with the longest text")
    func largestBodyIsMeasuredForThePersonWithTheLongestText() async throws {
        let long = person("bob", String(repeating: "x", count: 5_000))
        let people = [person("alice", "Ann"), long, person("carol", "C")]
        let plan = try await plan(personal(platforms: [.apns, .wns]), people)
        #expect(plan.platforms.map(\.limit) == [4_096, 5_000])
        let sizes = plan.platforms.map(\.worstBytes)
        #expect(sizes.allSatisfy { $0 > 5_000 })
        #expect(
            plan.problems == [
                .bodyTooLarge(platform: .apns, bytes: sizes[0], limit: 4_096, member: long),
                .bodyTooLarge(platform: .wns, bytes: sizes[1], limit: 5_000, member: long),
            ])
    }

    @Test("The error about a shared body that is too large names no person")
    func errorAboutASharedBodyThatIsTooLargeNamesNoPerson() async throws {
        let campaign = try TestBench.campaign(
            kind: .alert, message: String(repeating: "é", count: 2_100))
        let plan = try await plan(campaign, ListedAudience.people(["alice"]))
        #expect(
            plan.problems == [
                .bodyTooLarge(platform: .apns, bytes: 4_220, limit: 4_096, member: nil)
            ])
    }

    @Test("A private message does not count towards the body's size")
    func privateMessageDoesNotCountTowardsTheBodysSize() async throws {
        let campaign = try TestBench.campaign(
            kind: .rich, message: String(repeating: "x", count: 9_000), type: "t",
            isMessagePrivate: true)
        let plan = try await plan(campaign, ListedAudience.people(["alice"]))
        #expect(plan.problems.isEmpty)
    }

    @Test("A character that XML cannot contain is refused only in toasts")
    func characterThatXMLCannotContainIsRefusedOnlyInToasts() async throws {
        let bad = person("bob", "a\u{1}b")
        let toast = try TestBench.campaign(
            kind: .alert, platforms: [.apns, .wns], message: "{{name}}")
        #expect(
            try await plan(toast, [bad]).problems == [
                .unwritable("\u{1}", platform: .wns, member: bad)
            ])
        #expect(try await plan(personal(platforms: [.wns]), [bad]).problems.isEmpty)
        let shared = try TestBench.campaign(kind: .alert, platforms: [.wns], message: "a\u{1}")
        #expect(
            try await plan(shared, ListedAudience.people(["al"])).problems == [
                .unwritable("\u{1}", platform: .wns, member: nil)
            ])
    }

    @Test("A sample push contains the placeholder ID") func samplePushContainsThePlaceholderID()
        throws
    {
        let campaign = try TestBench.campaign(platforms: [.apns, .wns])
        let samples = try campaign.samplePushes(
            to: ListedAudience.people(["alice"]), now: TestBench.start)
        let sample = try #require(samples[.apns])
        #expect(sample.pushes.map { $0.usernames.map(\.text) } == [["alice"]])
        #expect(
            String(decoding: sample.pushes[0].body, as: UTF8.self)
                == #"{"aps":{"content-available":1},"secureId":"aaaaaaaaaaaaaaaaaaaaaaaaaa"}"#)
        #expect(sample.headers.contains(PushHeader("apns-push-type", "background")))
        #expect(samples[.wns]?.contentType == "application/octet-stream")
    }

    @Test("A personal sample push contains the first recipient's values")
    func personalSamplePushContainsTheFirstRecipientsValues() throws {
        let samples = try personal().samplePushes(
            to: [person("alice", "Ann"), person("bob", "Bob")], now: TestBench.start)
        #expect(samples[.apns]?.pushes.map { $0.usernames.map(\.text) } == [["alice"]])
        let body = try #require(samples[.apns]?.pushes.first?.body)
        #expect(String(decoding: body, as: UTF8.self).contains(#""richMessage":"Hi Ann""#))
    }

    @Test("People are read in batches") func peopleAreReadInBatches() async throws {
        let batches = Mutex(0)
        let people = ListedAudience.people(count: 9_999) + ListedAudience.people(["a", "b"])
        let plan = try await CampaignPlanner(ledger: nil).plan(
            TestBench.campaign(),
            audience: ListedAudience(named: people, onRead: { batches.withLock { $0 += 1 } }),
            sorter: TestBench.sorter(), now: TestBench.start
        ).plan
        #expect(plan.counts.final == 10_001)
        // Batches of 5,000, 5,000, 1 and 0; then one of 0 excluded people.
        #expect(batches.withLock(\.self) == 5)
    }

    @Test("Cancellation stops the reading of people") func cancellationStopsTheReadingOfPeople()
        async throws
    {
        let campaign = try TestBench.campaign()
        let task = Task {
            let audience = ListedAudience(
                named: ListedAudience.people(count: 9_000),
                onRead: { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } })
            return try await CampaignPlanner(ledger: nil).plan(
                campaign, audience: audience, sorter: TestBench.sorter(), now: TestBench.start)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
