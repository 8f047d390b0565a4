import CampaignCore
import Delivery
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct HoldTests {
    private func summary(
        on bench: TestBench, platforms: [Platform], delivery: DeliveryPolicy
    ) async throws -> RunSummary {
        bench.sender.answer { _, user, _ in
            // Responses arrive late, out of order, or never.
            switch (user.text.last?.wholeNumberValue ?? 0, user.text.hasSuffix("77")) {
            case (_, true): .late(.seconds(40), .unknown)
            case (let digit, _): .late(.milliseconds(300 * digit), .accepted)
            }
        }
        let campaign = try TestBench.campaign(
            kind: .alert, platforms: platforms, message: "Hi", delivery: delivery)
        return try await bench.run(campaign, people: ListedAudience.people(count: 160))
    }

    @Test(
        "Under hold, at most fifty pushes more than the concurrency are in doubt",
        arguments: [nil, 500] as [Double?], [1, 20])
    func underHoldAtMostFiftyPushesMoreThanTheConcurrencyAreInDoubt(
        rate: Double?, sharing: Int
    ) async throws {
        for platforms in [[Platform.apns], [.apns, .fcm, .wns]] {
            for concurrency in [4, 64] {
                let bench = TestBench()
                let summary = try await summary(
                    on: bench, platforms: platforms,
                    delivery: DeliveryPolicy(
                        rate: rate, concurrency: concurrency, recipientsPerPush: sharing))
                #expect(summary.result == .finished)
                #expect(summary.outcomes[.accepted] >= 100 * platforms.count)
                #expect(summary.outcomes.total == 160 * platforms.count)
                let most = await bench.ledger.mostSending
                #expect(most <= concurrency + 50)
                #expect(most >= min(concurrency, 40), "and connections have work")
            }
        }
    }

    @Test("Under resend, whole pages are claimed")
    func underResendWholePagesAreClaimed() async throws {
        let bench = TestBench()
        let summary = try await summary(
            on: bench, platforms: [.apns],
            delivery: DeliveryPolicy(rate: nil, concurrency: 4, onUnknown: .resend))
        #expect(summary.result == .finished)
        #expect(await bench.ledger.mostSending == 160)
    }
}
