import CampaignCore
import Storage
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct RestTests {
    private let people = ListedAudience.people(["alice", "bob", "carol"])

    /// A campaign has left bob on one of its platforms.
    private func left(by campaign: Campaign) async throws -> (TestBench, RunID) {
        let bench = TestBench { platform, username, _ in
            .now(platform == .fcm && username.text == "bob" ? .rejected : .accepted)
        }
        let first = try await bench.run(campaign, people: people)
        #expect(first.outcomes == OutcomeCounts([.accepted: 5, .rejected: 1]))
        bench.sender.answer { _, _, _ in .now(.accepted) }
        return (bench, first.record.id)
    }

    @Test func theRestGoesToThoseWhoAreLeftOnTheirPlatformsAlone() async throws {
        let campaign = try TestBench.campaign(platforms: [.apns, .fcm], minimum: 3)
        let (bench, _) = try await left(by: campaign)
        let rest = try await bench.run(campaign, people: people, mode: .rest([.rejected]))
        #expect(rest.record.occurrence == .rest(rest.record.id))
        #expect(rest.record.occurrence.isRest && !rest.record.occurrence.isAgain)
        #expect(rest.record.platforms == [.fcm], "nobody is left on the other one")
        #expect(rest.outcomes == OutcomeCounts([.accepted: 1]))
        #expect(bench.timesSent(on: .apns) == ["alice": 1, "bob": 1, "carol": 1])
        #expect(bench.timesSent(on: .fcm) == ["alice": 1, "bob": 2, "carol": 1])
    }

    @Test func theMaximumHoldsForARestToo() async throws {
        let bench = TestBench { platform, username, _ in
            .now(platform == .fcm && username.text == "bob" ? .accepted : .rejected)
        }
        let first = try await bench.run(
            TestBench.campaign(platforms: [.apns, .fcm]), people: people)
        let planned = try await CampaignPlanner(ledger: nil).plan(
            TestBench.campaign(platforms: [.apns, .fcm], maximum: 1),
            audience: ListedAudience(named: people), sorter: TestBench.sorter(),
            for: .rest(RestOfRun(of: first.record.id, outcomes: [.rejected], in: bench.ledger)),
            now: TestBench.start)
        #expect(planned.plan.faults == [.tooMany(final: 3, maximum: 1)])
        #expect(planned.plan.deliveries == 5)
        #expect(planned.plan.platforms.map(\.recipients) == [3, 2])
    }

    @Test func aRestThatAnotherProcessHasSentMeanwhileIsNotSentOnceMore() async throws {
        let campaign = try TestBench.campaign(platforms: [.apns, .fcm])
        let (bench, _) = try await left(by: campaign)
        let stale = RestOfRun(
            of: RunID(checked: "20261201T090000Z-abcdef"), outcomes: [.rejected],
            in: bench.ledger)
        let plan = CampaignPlan(
            counts: AudienceCounts(final: 1), faults: [], platforms: [], rate: nil)
        let request = RunRequest(
            campaign: campaign, hub: TestBench.hub, mode: .rest([.rejected]),
            campaignPath: "/campaigns/spring.yaml")
        await #expect(throws: RunError.restIsGone(campaign: "spring", of: stale.run)) {
            try await bench.runner.run(
                request,
                to: try PlannedAudience(plan: plan, people: TestBench.sorter(), rest: stale))
        }
        #expect(bench.sender.sent.count == 6)
        #expect(try await bench.ledger.runs(campaign: nil, limit: 9).count == 1)
    }

    @Test func aRestThatIsNotFinishedIsContinued() async throws {
        let campaign = try TestBench.campaign(platforms: [.apns, .fcm])
        let (bench, _) = try await left(by: campaign)
        bench.sender.answer { _, _, _ in .now(.stop(.credentials)) }
        let first = try await bench.run(campaign, people: people, mode: .rest([.rejected]))
        #expect(first.record.state == .paused)
        bench.sender.answer { _, _, _ in .now(.accepted) }
        let second = try await bench.run(campaign, people: people, mode: .rest([.rejected]))
        #expect(second.record.id == first.record.id)
        #expect(second.outcomes == OutcomeCounts([.accepted: 1]))
        #expect(second.warnings.first?.contains("is not finished, so it is continued") == true)
    }

    @Test func aFinishedRunTellsWhichKeysOfItsFileHaveChanged() async throws {
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
