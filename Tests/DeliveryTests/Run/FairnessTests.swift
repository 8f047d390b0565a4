import CampaignCore
import Delivery
import TestSupport
import Testing

/// One platform's trouble is not another's.
@Suite(.bounded) struct FairnessTests {
    private let people = ListedAudience.people(count: 1_000)

    /// When the last push of a platform went out.
    private func end(of platform: Platform, _ bench: TestBench) -> Duration {
        bench.sender.sent.filter { $0.platform == platform }.map(\.at).max() ?? .zero
    }

    @Test(arguments: [nil, 100.0] as [Double?])
    func aSlowPlatformDoesNotHoldUpTheOthers(rate: Double?) async throws {
        let bench = TestBench { platform, _, _ in
            platform == .apns ? .late(.seconds(60), .accepted) : .now(.accepted)
        }
        let policy = DeliveryPolicy(rate: rate, concurrency: 8)
        let summary = try await bench.run(
            TestBench.campaign(platforms: [.apns, .fcm], delivery: policy), people: people)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 2_000]))
        let limit: Duration = rate == nil ? .seconds(1) : .seconds(21)
        #expect(end(of: .fcm, bench) < limit)
    }

    @Test func aThrottledPlatformDoesNotHoldUpTheOthers() async throws {
        let bench = TestBench()
        let clock = bench.clock
        bench.sender.answer { platform, _, _ in
            platform == .apns && clock.elapsed < .seconds(60)
                ? .now(.retry(after: .seconds(5), cause: .throttled), "HTTP 429") : .now(.accepted)
        }
        let summary = try await bench.run(
            TestBench.campaign(platforms: [.apns, .fcm], delivery: DeliveryPolicy(rate: 100)),
            people: people)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 2_000]))
        #expect(end(of: .fcm, bench) < .seconds(21))
        let slowest = bench.sender.pages.filter { $0.platform == .fcm }
            .compactMap(\.platformInterval).max()
        #expect(slowest == nil, "the other one keeps its rate")
    }

    @Test func eachPlatformHasItsShareOfTheConnectionsUntilItIsAlone() async throws {
        let bench = TestBench { platform, user, _ in
            platform == .apns && user.text > "u00500"
                ? .late(.seconds(1), .accepted) : .now(.accepted)
        }
        let policy = DeliveryPolicy(rate: 100, concurrency: 9)
        _ = try await bench.run(
            TestBench.campaign(platforms: [.apns, .fcm], delivery: policy), people: people)
        #expect(bench.sender.pages.first?.concurrency == 4)
        #expect(bench.sender.pages.last?.concurrency == 9)
        #expect(bench.sender.pages.last?.platform == .apns)
    }
}
