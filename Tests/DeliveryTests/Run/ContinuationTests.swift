import CampaignCore
import Delivery
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct ContinuationTests {
    private let people = ListedAudience.people(["alice", "bob", "carol", "dave"])

    @Test("Running again sends only the missing pushes")
    func runningAgainSendsOnlyTheMissingPushes() async throws {
        let bench = TestBench { _, user, _ in
            user.text == "carol" ? .now(.stop(.credentials)) : .now(.accepted)
        }
        let campaign = try TestBench.campaign()
        _ = try await bench.run(campaign, people: people)
        bench.sender.answer { _, _, _ in .now(.accepted) }
        let rerun = try await bench.run(campaign, people: people)
        #expect(rerun.outcomes == OutcomeCounts([.accepted: 4]))
        #expect(bench.timesSent() == ["alice": 1, "bob": 1, "carol": 2, "dave": 1])
    }

    @Test("A continued run needs no audience") func continuedRunNeedsNoAudience() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        _ = try await bench.stage(campaign, people: people)
        let request = RunRequest(campaign: campaign, hub: TestBench.hub, campaignPath: "/c.yaml")
        let summary = try await bench.runner.run(request, to: nil)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 4]))
    }

    @Test("A plan can continue only its own run") func planCanContinueOnlyItsOwnRun() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let id = try await bench.stage(campaign, people: people)
        let plan = try #require(PlanID("k3v7qaabcd2x"))
        let request = RunRequest(
            campaign: campaign, hub: TestBench.hub, campaignPath: "/c.yaml", plan: plan)
        let refusal = RunError.otherPlan(id, campaign: campaign.name, begun: nil, asked: plan)
        await #expect(throws: refusal) { try await bench.runner.run(request, to: nil) }
        #expect(bench.sender.sent.isEmpty)
        // Without the plan, the run continues.
        let summary = try await bench.run(campaign, people: people)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 4]))
        #expect(summary.record.plan == nil)
    }

    @Test("Pushes in flight at a crash are sent again with the same ID")
    func pushesInFlightAtACrashAreSentAgainWithTheSameID() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let id = try await bench.stage(campaign, people: people)
        let claims = try await bench.ledger.claimNext(id, platform: .apns, limit: 2)
        await bench.ledger.letGo()
        let summary = try await bench.run(campaign, people: people)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 4]))
        #expect(bench.sender.sent.map(\.username.text) == ["alice", "bob", "carol", "dave"])
        let rows = try await bench.ledger.rows(of: id)
        for claim in claims {
            let row = rows[FaultyLedger.Key(number: claim.number, platform: .apns)]
            #expect(row?.isUncertain == true)
            #expect(row?.attempts == 2)
        }
        let body = String(decoding: bench.sender.sent[0].body, as: UTF8.self)
        #expect(body.contains(claims[0].notification.text))
    }

    @Test("Under hold, pushes in flight at a crash become unknown")
    func underHoldPushesInFlightAtACrashBecomeUnknown() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(kind: .alert, message: "Maintenance")
        let id = try await bench.stage(campaign, people: people)
        _ = try await bench.ledger.claimNext(id, platform: .apns, limit: 3)
        await bench.ledger.letGo()
        let summary = try await bench.run(campaign, people: people)
        #expect(summary.result == .finished)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 1, .unknown: 3]))
        #expect(bench.sender.sent.map(\.username.text) == ["dave"])
    }

    @Test("More than a page of interrupted pushes is sent again")
    func moreThanAPageOfInterruptedPushesIsSentAgain() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(
            platforms: [.apns, .fcm], delivery: DeliveryPolicy(rate: 100))
        let many = ListedAudience.people(count: 400)
        let id = try await bench.stage(campaign, people: many)
        for platform in campaign.platforms {
            _ = try await bench.ledger.claimNext(id, platform: platform, limit: 300)
        }
        await bench.ledger.letGo()
        let summary = try await bench.run(campaign, people: many)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 800]))
        #expect(bench.sender.sent.count == 800)
        #expect(bench.sender.pages.allSatisfy { $0.pushes.count <= 50 })
    }

    @Test("Only `delivery` is taken from a changed file, with a warning")
    func onlyDeliveryIsTakenFromAChangedFileWithAWarning() async throws {
        let bench = TestBench()
        _ = try await bench.stage(TestBench.campaign(), people: people)
        let changed = try TestBench.campaign(
            platforms: [.fcm], delivery: DeliveryPolicy(rate: 2),
            fingerprints: ["audience": "2", "payload": "1", "delivery": "2", "platforms": "1"])
        let summary = try await bench.run(changed, people: people)
        #expect(summary.record.platforms == [.apns])
        #expect(summary.record.delivery.rate == 2)
        #expect(bench.sender.pages.first?.interval == .milliseconds(500))
        #expect(summary.warnings.count == 1)
        #expect(summary.warnings[0].contains("(audience, platforms)"))
    }

    @Test("A changed payload file causes a warning")
    func changedPayloadFileCausesAWarning() async throws {
        let bench = TestBench()
        let staged = ["payload": "1", "payload.file": "1"]
        _ = try await bench.stage(TestBench.campaign(fingerprints: staged), people: people)
        let changed = try TestBench.campaign(fingerprints: ["payload": "1", "payload.file": "2"])
        let summary = try await bench.run(changed, people: people)
        #expect(summary.warnings.count == 1)
        #expect(summary.warnings.first?.contains("(payload.file)") == true)
        // The change is also reported if nothing is left to send.
        #expect(try await bench.run(changed, people: people).changed == ["payload.file"])
    }

    @Test("An interrupted staging starts over with the current file")
    func interruptedStagingStartsOverWithTheCurrentFile() async throws {
        let bench = TestBench()
        await bench.ledger.fail(.append, after: 1)
        await #expect(throws: FaultyLedger.DiskFull.self) {
            try await bench.run(TestBench.campaign(), people: ListedAudience.people(count: 5_001))
        }
        let interrupted = try await bench.ledger.runs(campaign: nil, limit: 9)
        #expect(interrupted.map(\.state) == [.staging])
        await bench.ledger.recover()
        let changed = try TestBench.campaign(platforms: [.fcm])
        let summary = try await bench.run(changed, people: Array(people.prefix(2)))
        #expect(summary.record.id == interrupted[0].id)
        #expect(summary.record.occurrence == .once)
        #expect(summary.record.platforms == [.fcm])
        #expect(summary.outcomes == OutcomeCounts([.accepted: 2]))
    }

    @Test("Cancellation pauses the run, saves everything and loses nobody")
    func cancellationPausesTheRunSavesEverythingAndLosesNobody() async throws {
        let reached = Signal()
        let bench = TestBench { _, user, _ in
            guard user.text == "bob" else { return .now(.accepted) }
            reached.happen()
            await Signal.cancellation()
            return .now(.accepted)
        }
        let campaign = try TestBench.campaign()
        let task = Task { try await bench.run(campaign, people: people) }
        await reached.wait()
        task.cancel()
        let summary = try await task.value
        #expect(summary.result.reason(toPause: .cancelled) != nil)
        #expect(summary.record.state == .paused)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 2, .notAttempted: 2]))
        #expect(summary.record.requests == 2)

        bench.sender.answer { _, _, _ in .now(.accepted) }
        let rerun = try await bench.run(campaign, people: people)
        #expect(rerun.outcomes == OutcomeCounts([.accepted: 4]))
        #expect(bench.timesSent().values.allSatisfy { $0 == 1 })
    }

    @Test("A run whose store failed is finished when it is run again")
    func runWhoseStoreFailedIsFinishedWhenItIsRunAgain() async throws {
        let bench = TestBench()
        await bench.ledger.fail(.record, after: 1)
        let campaign = try TestBench.campaign(delivery: DeliveryPolicy(rate: 2))
        await #expect(throws: FaultyLedger.DiskFull.self) {
            try await bench.run(campaign, people: people)
        }
        #expect(bench.sender.sent.count == 2)
        let run = try #require(try await bench.ledger.runs(campaign: nil, limit: 1).first)
        #expect(run.state == .running)
        let states = try await bench.ledger.rows(of: run.id).values.map(\.state)
        #expect(states.filter { $0 == .sending }.count == 1)
        await bench.ledger.recover()
        await bench.ledger.letGo()
        let summary = try await bench.run(campaign, people: people)
        #expect(summary.result == .finished)
        #expect(bench.timesSent() == ["alice": 1, "bob": 2, "carol": 1, "dave": 1])
    }

    @Test("Responses that arrive after a short store failure are saved")
    func responsesThatArriveAfterAShortStoreFailureAreSaved() async throws {
        let bench = TestBench { _, user, _ in
            user.text == "alice" ? .late(.seconds(5), .accepted) : .now(.accepted)
        }
        await bench.ledger.fail(.claimNext, after: 1)
        let campaign = try TestBench.campaign(delivery: DeliveryPolicy(rate: 2))
        await #expect(throws: FaultyLedger.DiskFull.self) {
            try await bench.run(campaign, people: people)
        }
        let run = try #require(try await bench.ledger.runs(campaign: nil, limit: 1).first)
        #expect(try await bench.ledger.rows(of: run.id).values.map(\.state) == [.ended(.accepted)])
        #expect(run.requests == 1)
    }
}
