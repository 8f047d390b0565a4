import CampaignCore
import Storage
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct FollowUpTests {
    private let people = ListedAudience.people(["alice", "bob", "carol"])

    /// A run that did not reach bob on one of its platforms.
    private func left(by campaign: Campaign) async throws -> (TestBench, RunID) {
        let bench = TestBench { platform, username, _ in
            .now(platform == .fcm && username.text == "bob" ? .rejected : .accepted)
        }
        let first = try await bench.run(campaign, people: people)
        #expect(first.outcomes == OutcomeCounts([.accepted: 5, .rejected: 1]))
        bench.sender.answer { _, _, _ in .now(.accepted) }
        return (bench, first.record.id)
    }

    @Test("A follow-up run goes only to the people and platforms not yet reached")
    func followUpRunGoesOnlyToThePeopleAndPlatformsNotYetReached() async throws {
        let campaign = try TestBench.campaign(platforms: [.apns, .fcm], minimum: 3)
        let (bench, _) = try await left(by: campaign)
        let followUp = try await bench.run(campaign, people: people, mode: .followUp([.rejected]))
        #expect(followUp.record.occurrence == .followUp(followUp.record.id))
        #expect(followUp.record.occurrence.isFollowUp && !followUp.record.occurrence.isAgain)
        #expect(followUp.record.platforms == [.fcm], "nobody is left on the other one")
        #expect(followUp.outcomes == OutcomeCounts([.accepted: 1]))
        #expect(bench.timesSent(on: .apns) == ["alice": 1, "bob": 1, "carol": 1])
        #expect(bench.timesSent(on: .fcm) == ["alice": 1, "bob": 2, "carol": 1])
    }

    @Test("The maximum number of recipients applies to a follow-up run")
    func maximumNumberOfRecipientsAppliesToAFollowUpRun() async throws {
        let bench = TestBench { platform, username, _ in
            .now(platform == .fcm && username.text == "bob" ? .accepted : .rejected)
        }
        let first = try await bench.run(
            TestBench.campaign(platforms: [.apns, .fcm]), people: people)
        let planned = try await CampaignPlanner(ledger: nil).plan(
            TestBench.campaign(platforms: [.apns, .fcm], maximum: 1),
            audience: ListedAudience(named: people), sorter: TestBench.sorter(),
            for: .followUp(
                UnreachedPeople(of: first.record.id, outcomes: [.rejected], in: bench.ledger)),
            now: TestBench.start)
        #expect(planned.plan.problems == [.tooMany(final: 3, maximum: 1)])
        #expect(planned.plan.deliveries == 5)
        #expect(planned.plan.platforms.map(\.recipients) == [3, 2])
    }

    @Test("A follow-up run that another process has sent is not repeated")
    func followUpRunThatAnotherProcessHasSentIsNotRepeated() async throws {
        let campaign = try TestBench.campaign(platforms: [.apns, .fcm])
        let (bench, _) = try await left(by: campaign)
        let stale = UnreachedPeople(
            of: RunID(checked: "20261201T090000Z-abcdef"), outcomes: [.rejected],
            in: bench.ledger)
        let plan = CampaignPlan(
            counts: AudienceCounts(final: 1), problems: [], platforms: [], rate: nil)
        let request = RunRequest(
            campaign: campaign, hub: TestBench.hub, mode: .followUp([.rejected]),
            campaignPath: "/campaigns/spring.yaml")
        await #expect(throws: RunError.followUpIsOutdated(campaign: "spring", of: stale.run)) {
            try await bench.runner.run(
                request,
                to: try PlannedAudience(plan: plan, people: TestBench.sorter(), unreached: stale))
        }
        #expect(bench.sender.sent.count == 6)
        #expect(try await bench.ledger.runs(campaign: nil, limit: 9).count == 1)
    }

    @Test("An unfinished follow-up run is continued")
    func unfinishedFollowUpRunIsContinued() async throws {
        let campaign = try TestBench.campaign(platforms: [.apns, .fcm])
        let (bench, _) = try await left(by: campaign)
        bench.sender.answer { _, _, _ in .now(.stop(.credentials)) }
        let first = try await bench.run(campaign, people: people, mode: .followUp([.rejected]))
        #expect(first.record.state == .paused)
        bench.sender.answer { _, _, _ in .now(.accepted) }
        let second = try await bench.run(campaign, people: people, mode: .followUp([.rejected]))
        #expect(second.record.id == first.record.id)
        #expect(second.outcomes == OutcomeCounts([.accepted: 1]))
        #expect(second.warnings.first?.contains("is not finished and will be continued") == true)
    }

    @Test("A finished run reports which keys of its file have changed")
    func finishedRunReportsWhichKeysOfItsFileHaveChanged() async throws {
        let bench = TestBench()
        _ = try await bench.run(TestBench.campaign(), people: people)
        let changed = try TestBench.campaign(
            fingerprints: ["audience": "2", "payload": "1", "delivery": "2", "kind": "1"])
        let second = try await bench.run(changed, people: people)
        #expect(second.result == .alreadyFinished)
        #expect(second.changed == ["audience", "kind"])
        #expect(second.warnings.isEmpty)
    }
}
