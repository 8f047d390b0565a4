import CampaignCore
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct SendingTests {
    @Test("Every recipient gets one push on each platform")
    func everyRecipientGetsOnePushOnEachPlatform() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(platforms: [.apns, .wns])
        let summary = try await bench.run(campaign, people: ListedAudience.people(count: 700))
        #expect(summary.result == .finished)
        #expect(summary.record.state == .finished)
        #expect(summary.record.finished != nil)
        #expect(summary.outcomes[.accepted] == 1_400)
        #expect(summary.outcomes.total == 1_400)
        #expect(summary.record.requests == 1_400)
        #expect(bench.timesSent(on: .apns).values.allSatisfy { $0 == 1 })
        #expect(bench.timesSent(on: .apns).count == 700)
        #expect(bench.timesSent(on: .wns).count == 700)
        #expect(summary.warnings.isEmpty)
    }

    @Test("The rate applies to all platforms together")
    func rateAppliesToAllPlatformsTogether() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(
            platforms: [.apns, .fcm], delivery: DeliveryPolicy(rate: 100))
        _ = try await bench.run(campaign, people: ListedAudience.people(count: 300))
        for page in bench.sender.pages {
            #expect(page.interval == .milliseconds(10))
            #expect(page.pushes.count <= 100)
        }
        for push in bench.sender.sent {
            let before = bench.sender.sent.filter { $0.at < push.at }.count
            #expect(Double(before) <= 100 * (push.at / .seconds(1)) + 50)
        }
        #expect(bench.clock.elapsed >= .milliseconds(5_500))
        #expect(bench.clock.elapsed < .seconds(7))
    }

    @Test("A run sleeps even if it waits hours for a response")
    func runSleepsEvenIfItWaitsHoursForAResponse() async throws {
        let bench = TestBench { _, _, _ in .late(.seconds(3_605), .accepted) }
        let summary = try await bench.run(
            TestBench.campaign(), people: ListedAudience.people(["alice"]))
        #expect(summary.outcomes == OutcomeCounts([.accepted: 1]))
        #expect(bench.clock.elapsed < .seconds(3_606))
    }

    @Test("Platforms alternate page by page") func platformsAlternatePageByPage() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(platforms: [.apns, .fcm])
        _ = try await bench.run(campaign, people: ListedAudience.people(count: 1_000))
        #expect(
            bench.sender.pages.map(\.platform)
                == [.apns, .fcm, .apns, .fcm, .apns, .fcm, .apns, .fcm])
    }

    @Test("A push with a private message contains no text")
    func pushWithAPrivateMessageContainsNoText() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(
            kind: .rich, message: "Secret {{name}}", type: "img", isMessagePrivate: true)
        let people = ListedAudience.people(["alice"], values: ["Ann"])
        let summary = try await bench.run(campaign, people: people)
        let staged = await bench.ledger.staged[summary.record.id]?.recipients.first?.notification
        let notification = try #require(staged)
        #expect(notification.texts.message == "Secret Ann")
        let body = String(decoding: bench.sender.sent[0].body, as: UTF8.self)
        #expect(
            body == #"{"aps":{"content-available":1},"richId":"\#(notification.id)","#
                + #""richType":"img"}"#)
    }

    @Test("Each person gets their own payload") func eachPersonGetsTheirOwnPayload() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(kind: .alert, message: "Hi {{name|you}}")
        let people =
            ListedAudience.people(["alice"], values: ["Ann"])
            + ListedAudience.people(["bob"], values: [nil])
        let summary = try await bench.run(campaign, people: people)
        #expect(
            bench.sender.sent.map { String(decoding: $0.body, as: UTF8.self) } == [
                #"{"aps":{"alert":"Hi Ann"}}"#, #"{"aps":{"alert":"Hi you"}}"#,
            ])
        let contents = await bench.ledger.staged[summary.record.id]
        #expect(contents?.shared == nil)
        #expect(Set(contents?.recipients.compactMap(\.notification?.id) ?? []).count == 2)
    }

    @Test("A shared payload is stored once") func sharedPayloadIsStoredOnce() async throws {
        let bench = TestBench()
        let summary = try await bench.run(
            TestBench.campaign(), people: ListedAudience.people(count: 12_000))
        let contents = try #require(await bench.ledger.staged[summary.record.id])
        #expect(
            contents.shared?.content
                == .text("Your statement", mediaType: "text/plain; charset=utf-8"))
        #expect(contents.recipients.allSatisfy { $0.notification == nil })
        #expect(await bench.ledger.largestAppend == 5_000)
        #expect(summary.record.counts.final == 12_000)
    }

    @Test("Outcomes are written in batches") func outcomesAreWrittenInBatches() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(delivery: DeliveryPolicy(rate: nil))
        _ = try await bench.run(campaign, people: ListedAudience.people(count: 10_000))
        let batches = await bench.ledger.batches
        #expect(batches.map(\.count).reduce(0, +) == 10_000)
        #expect(batches.count <= 11)
    }

    @Test("Progress is reported at most four times a second and at the end")
    func progressIsReportedAtMostFourTimesASecondAndAtTheEnd() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(delivery: DeliveryPolicy(rate: 10))
        _ = try await bench.run(campaign, people: ListedAudience.people(count: 40))
        let all = bench.progress.all
        let last = try #require(all.last)
        #expect(last.outcomes[.accepted] == 40)
        #expect(last.outcomes[.notAttempted] == 0)
        #expect(last.requests == 40)
        #expect(all.allSatisfy { $0.deliveries == 40 && $0.outcomes.total == 40 })
        #expect(all.contains { $0.rate > 5 && $0.rate < 45 })
        #expect(Double(all.count) <= 4 * (bench.clock.elapsed / .seconds(1)) + 2)
        #expect(all.count > 8)
    }

    @Test("A missing value stops the staging") func missingValueStopsTheStaging() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign(kind: .alert, message: "Hi {{name}}")
        let sorter = try TestBench.sorter()
        try await sorter.add(ListedAudience.people(["alice"], values: [nil]))
        let counts = try await sorter.settle(only: nil)
        let plan = CampaignPlan(counts: counts, problems: [], platforms: [], rate: nil)
        let request = RunRequest(campaign: campaign, hub: TestBench.hub, campaignPath: "/c.yaml")
        await #expect(throws: RunError.unrenderable(variable: "name")) {
            try await bench.runner.run(request, to: PlannedAudience(plan: plan, people: sorter))
        }
        #expect(bench.sender.sent.isEmpty)
        #expect(try await bench.ledger.runs(campaign: nil, limit: 9).map(\.state) == [.staging])
    }

    @Test("A plan with errors is refused before anything is stored")
    func planWithErrorsIsRefusedBeforeAnythingIsStored() async throws {
        let bench = TestBench()
        await #expect(throws: RunError.refused(campaign: "spring", [.empty(excluded: 0)])) {
            try await bench.run(TestBench.campaign(), people: [])
        }
        #expect(try await bench.ledger.runs(campaign: nil, limit: 9).isEmpty)
    }
}
