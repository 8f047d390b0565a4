import CampaignCore
import Delivery
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct SharedPushTests {
    private let policy = DeliveryPolicy(rate: nil, recipientsPerPush: 20)

    @Test("Twenty people share a request, and each has an outcome")
    func twentyPeopleShareARequestAndEachHasAnOutcome() async throws {
        let bench = TestBench()
        let summary = try await bench.run(
            TestBench.campaign(platforms: [.apns, .fcm], delivery: policy),
            people: ListedAudience.people(count: 50))
        #expect(summary.outcomes == OutcomeCounts([.accepted: 100]))
        #expect(summary.record.requests == 6)
        let pushes = bench.sender.pages.filter { $0.platform == .fcm }.flatMap(\.pushes)
        #expect(pushes.map(\.usernames.count) == [20, 20, 10])
        #expect(Set(pushes.flatMap(\.usernames)).count == 50)
    }

    @Test("People who share a request get its outcome")
    func peopleWhoShareARequestGetItsOutcome() async throws {
        let bench = TestBench { _, first, _ in
            first.text == "u00021" ? .now(.rejected, "HTTP 400") : .now(.accepted)
        }
        let summary = try await bench.run(
            TestBench.campaign(delivery: policy), people: ListedAudience.people(count: 60))
        #expect(summary.outcomes == OutcomeCounts([.accepted: 40, .rejected: 20]))
        let rows = try await bench.ledger.rows(of: summary.record.id)
        for (key, row) in rows {
            #expect((row.state == .ended(.rejected)) == (21...40).contains(key.number))
            #expect(row.attempts == 1)
        }
    }

    @Test("People who share a request are retried together")
    func peopleWhoShareARequestAreRetriedTogether() async throws {
        let bench = TestBench { _, first, attempt in
            first.text == "u00001" && attempt < 3 ? .now(.unknown, "lost") : .now(.accepted)
        }
        let summary = try await bench.run(
            TestBench.campaign(delivery: policy), people: ListedAudience.people(count: 40))
        #expect(summary.outcomes == OutcomeCounts([.accepted: 40]))
        #expect(summary.record.requests == 4)
        let sizes = bench.sender.pages.flatMap(\.pushes).map(\.usernames.count)
        #expect(sizes == [20, 20, 20, 20])
        let rows = try await bench.ledger.rows(of: summary.record.id)
        #expect(rows.values.count { $0.attempts == 3 && $0.isUncertain } == 20)
    }

    @Test("People of an interrupted request end as unknown if its retries fail")
    func peopleOfAnInterruptedRequestEndAsUnknownIfItsRetriesFail() async throws {
        let bench = TestBench()
        let policy = DeliveryPolicy(
            rate: nil, recipientsPerPush: 4, retry: RetryLimits(attempts: 2, duration: .seconds(30))
        )
        let campaign = try TestBench.campaign(delivery: policy)
        let id = try await bench.stage(campaign, people: ListedAudience.people(count: 8))
        // An earlier process died while two of the first four deliveries were in flight.
        _ = try await bench.ledger.claimNext(id, platform: .apns, limit: 2)
        await bench.ledger.letGo()
        bench.sender.answer { _, first, _ in
            first.text == "u00001"
                ? .now(.retry(after: .seconds(20), cause: .unreachable), "refused")
                : .late(.seconds(8), .accepted)
        }
        let summary = try await bench.runner.resume(id, at: TestBench.hub)
        #expect(summary.outcomes[.unknown] == 2)
        #expect(summary.outcomes[.accepted] == 6)
        #expect(summary.outcomes[.failed] == 0)
    }

    @Test("People with their own payloads do not share a request")
    func peopleWithTheirOwnPayloadsDoNotShareARequest() async throws {
        let bench = TestBench()
        let content = PayloadContent.text(try MessageTemplate("Dear {{name|you}}"))
        let summary = try await bench.run(
            TestBench.campaign(content: content, delivery: policy),
            people: ListedAudience.people(count: 45))
        #expect(summary.outcomes == OutcomeCounts([.accepted: 45]))
        #expect(bench.sender.pages.flatMap(\.pushes).allSatisfy { $0.usernames.count == 1 })
    }

    @Test("A plan includes the number of shared requests")
    func planIncludesTheNumberOfSharedRequests()
        async throws
    {
        let campaign = try TestBench.campaign(
            platforms: [.apns, .wns], delivery: DeliveryPolicy(rate: 2, recipientsPerPush: 20))
        let plan = try await CampaignPlanner(ledger: nil).plan(
            campaign, audience: ListedAudience(named: ListedAudience.people(count: 45)),
            sorter: TestBench.sorter(), now: TestBench.start
        ).plan
        #expect(plan.deliveries == 90)
        #expect(plan.requests == 6)
        #expect(plan.duration == .seconds(3))
        let first = try campaign.samplePushes(
            to: ListedAudience.people(count: 20), now: TestBench.start)
        #expect(first[.apns]?.pushes.map(\.usernames.count) == [20])
    }
}
