import CampaignCore
import Delivery
import Storage
import Synchronization
import TestSupport
import Testing

@Suite(.bounded) struct OccurrenceTests {
    private let people = ListedAudience.people(["alice", "bob"])

    @Test("A finished run is not sent again") func finishedRunIsNotSentAgain() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let first = try await bench.run(campaign, people: people)
        let second = try await bench.run(campaign, people: people)
        #expect(second.result == .alreadyFinished)
        #expect(second.record == first.record)
        #expect(second.outcomes == OutcomeCounts([.accepted: 2]))
        #expect(bench.sender.sent.count == 2)
    }

    @Test("Another occurrence is sent separately")
    func anotherOccurrenceIsSentSeparately() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        _ = try await bench.run(campaign, people: people)
        let key = try #require(Occurrence(key: "2026-12"))
        let second = try await bench.run(campaign, people: people, mode: .occurrence(key))
        #expect(second.result == .finished)
        #expect(second.record.occurrence == key)
        #expect(bench.sender.sent.count == 4)
    }

    @Test("--again starts a separate occurrence") func againStartsASeparateOccurrence() async throws
    {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let first = try await bench.run(campaign, people: people)
        let second = try await bench.run(campaign, people: people, mode: .again)
        #expect(second.result == .finished)
        #expect(second.record.id != first.record.id)
        #expect(second.record.occurrence == .again(second.record.id))
        #expect(second.warnings.isEmpty)
        #expect(bench.sender.sent.count == 4)
    }

    @Test("A plan can be sent only once") func planCanBeSentOnlyOnce() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let plans = try ["k3v7qaabcd2x", "k3v7qaabcd2y"].map { try #require(PlanID($0)) }
        // The first is the campaign's default occurrence, and the second is another occurrence.
        for (sent, plan) in plans.enumerated() {
            let first = try await bench.run(campaign, people: people, mode: .again, plan: plan)
            #expect(first.result == .finished)
            #expect(first.record.plan == plan)
            for mode in [RunRequest.Mode.again, .followUp([.accepted])] {
                let second = try await bench.run(campaign, people: people, mode: mode, plan: plan)
                #expect(second.result == .alreadyFinished)
                #expect(second.record == first.record)
            }
            #expect(bench.timesSent() == ["alice": sent + 1, "bob": sent + 1])
        }
        let without = try await bench.run(campaign, people: people, mode: .again)
        #expect(without.result == .finished)
    }

    @Test("--again is refused while another run is unfinished")
    func againIsRefusedWhileAnotherRunIsUnfinished() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let other = try await bench.stage(campaign, people: people)
        let key = try #require(Occurrence(key: "2026-12"))
        let keyed = try await bench.run(campaign, people: people, mode: .occurrence(key))
        #expect(keyed.result == .finished)
        for mode in [RunRequest.Mode.again, .followUp([.failed])] {
            await #expect(
                throws: RunError.unfinished(other, campaign: "spring", state: .running, left: 2)
            ) {
                try await bench.run(campaign, people: people, mode: mode)
            }
        }
        #expect(bench.timesSent() == ["alice": 1, "bob": 1])
        #expect(try await bench.run(campaign, people: people).record.id == other)
        let again = try await bench.run(campaign, people: people, mode: .again)
        #expect(again.record.occurrence.isAgain)
        #expect(bench.timesSent() == ["alice": 3, "bob": 3])
    }

    @Test("Repeating the first --again continues its run")
    func repeatingTheFirstAgainContinuesItsRun() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let first = try await bench.stage(campaign, people: people)
        let rerun = try await bench.run(campaign, people: people, mode: .again)
        #expect(rerun.record.id == first)
        #expect(bench.timesSent() == ["alice": 1, "bob": 1])
    }

    @Test("The first --again of an unsent campaign counts as its regular send")
    func firstAgainOfAnUnsentCampaignCountsAsItsRegularSend() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        _ = try await bench.run(campaign, people: people, mode: .rehearsal)
        let first = try await bench.run(campaign, people: people, mode: .again)
        #expect(first.record.occurrence == .once)
        let plain = try await bench.run(campaign, people: people)
        #expect(plain.result == .alreadyFinished)
        #expect(plain.record.id == first.record.id)
        let second = try await bench.run(campaign, people: people, mode: .again)
        #expect(second.record.occurrence.isAgain)
        #expect(bench.timesSent() == ["alice": 3, "bob": 3])
    }

    @Test("--again continues an unfinished run and reports this")
    func againContinuesAnUnfinishedRunAndReportsThis() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let other = try await bench.run(campaign, people: people).record.id
        bench.sender.answer { _, _, _ in .now(.stop(.credentials)) }
        let first = try await bench.run(campaign, people: people, mode: .again)
        #expect(first.record.id != other)
        bench.sender.answer { _, _, _ in .now(.accepted) }
        let second = try await bench.run(campaign, people: people, mode: .again)
        #expect(second.record.id == first.record.id)
        #expect(second.result == .finished)
        #expect(second.warnings.count == 1)
        #expect(second.warnings.first?.contains("is not finished and will be continued") == true)
    }

    @Test("A rehearsal does not count as an occurrence") func rehearsalDoesNotCountAsAnOccurrence()
        async throws
    {
        let bench = TestBench()
        let campaign = try TestBench.campaign(minimum: 2)
        let only = [Username(checked: "bob")]
        let rehearsal = try await bench.run(campaign, people: people, only: only, mode: .rehearsal)
        #expect(rehearsal.record.isRehearsal)
        #expect(rehearsal.record.occurrence == .rehearsal(rehearsal.record.id))
        #expect(bench.timesSent() == ["bob": 1])
        let again = try await bench.run(campaign, people: people, only: only, mode: .rehearsal)
        #expect(again.record.id != rehearsal.record.id)
        let real = try await bench.run(campaign, people: people)
        #expect(!real.record.isRehearsal)
        #expect(bench.timesSent() == ["alice": 1, "bob": 3])
    }

    @Test("--again does not continue a rehearsal")
    func againDoesNotContinueARehearsal() async throws {
        let bench = TestBench { _, _, _ in .now(.stop(.credentials)) }
        let campaign = try TestBench.campaign()
        let rehearsal = try await bench.run(campaign, people: people, mode: .rehearsal)
        #expect(rehearsal.record.state == .paused)
        bench.sender.answer { _, _, _ in .now(.accepted) }
        let again = try await bench.run(campaign, people: people, mode: .again)
        #expect(again.record.id != rehearsal.record.id)
        #expect(!again.record.isRehearsal)
        #expect(again.warnings.isEmpty)
    }

    @Test("A run is never continued on another hub")
    func runIsNeverContinuedOnAnotherHub() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let id = try await bench.stage(campaign, people: people)
        let other = HubIdentity(host: "local", name: "hub")
        await #expect(throws: RunError.otherHub(id, begun: TestBench.hub, configured: other)) {
            try await bench.runner.resume(id, at: other)
        }
        #expect(bench.sender.sent.isEmpty)
    }

    @Test("A campaign is locked while another process is sending it")
    func campaignIsLockedWhileAnotherProcessIsSendingIt() async throws {
        let bench = TestBench()
        let held = try #require(bench.lock.acquire(campaign: "spring"))
        await #expect(throws: RunError.locked(campaign: "spring")) {
            try await bench.run(TestBench.campaign(), people: people)
        }
        held.release()
        let summary = try await bench.run(TestBench.campaign(), people: people)
        #expect(summary.result == .finished)
        #expect(bench.lock.acquire(campaign: "spring") != nil, "the run gave the lock back")
    }

    @Test("A run waits for the lock until its time limit")
    func runWaitsForTheLockUntilItsTimeLimit() async throws {
        let bench = TestBench()
        let request = RunRequest(
            campaign: try TestBench.campaign(), hub: TestBench.hub,
            campaignPath: "/campaigns/spring.yaml")
        let audience = try await CampaignPlanner(ledger: nil).plan(
            request.campaign, audience: ListedAudience(named: people),
            sorter: try TestBench.sorter(), for: .all, now: bench.now())
        let held = try #require(bench.lock.acquire(campaign: "spring"))
        let checks = Mutex(0)
        await #expect(throws: RunError.locked(campaign: "spring")) {
            try await bench.runner(patience: .seconds(1)) { _ in
                checks.withLock { $0 += 1 }
            }.run(request, to: audience)
        }
        #expect(checks.withLock(\.self) == 4)
        let summary = try await bench.runner(patience: .seconds(60)) { campaign in
            #expect(campaign == "spring")
            held.release()
        }.run(request, to: audience)
        #expect(summary.result == .finished)
    }

    @Test("A run that waits for a person does not continue unattended")
    func runThatWaitsForAPersonDoesNotContinueUnattended() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let id = try await bench.stage(campaign, people: people)
        try await bench.ledger.setState(
            .paused, reason: "why", pause: .person, of: id, at: TestBench.start)
        var request = RunRequest(
            campaign: campaign, hub: TestBench.hub, campaignPath: "/campaigns/spring.yaml",
            isUnattended: true)
        await #expect(throws: RunError.waits(id)) {
            try await bench.runner.run(request, to: nil)
        }
        #expect(bench.sender.sent.isEmpty)
        request.isUnattended = false
        #expect(try await bench.runner.run(request, to: nil).result == .finished)
    }
}
