import CampaignCore
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct FairnessTests {
    private let people = ListedAudience.people(count: 500)

    /// The time when the last push of a platform was sent.
    private func end(of platform: Platform, _ bench: TestBench) -> Duration {
        bench.sender.sent.filter { $0.platform == platform }.map(\.at).max() ?? .zero
    }

    @Test("A slow platform does not delay the others", arguments: [nil, 100.0] as [Double?])
    func slowPlatformDoesNotDelayTheOthers(rate: Double?) async throws {
        let bench = TestBench { platform, _, _ in
            platform == .apns ? .late(.seconds(60), .accepted) : .now(.accepted)
        }
        let policy = DeliveryPolicy(rate: rate, concurrency: 8)
        let summary = try await bench.run(
            TestBench.campaign(platforms: [.apns, .fcm], delivery: policy), people: people)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 1_000]))
        let limit: Duration = rate == nil ? .seconds(1) : .seconds(11)
        #expect(end(of: .fcm, bench) < limit)
    }

    @Test("A throttled platform does not delay the others")
    func throttledPlatformDoesNotDelayTheOthers() async throws {
        let bench = TestBench()
        let clock = bench.clock
        bench.sender.answer { platform, _, _ in
            platform == .apns && clock.elapsed < .seconds(60)
                ? .now(.retry(after: .seconds(5), cause: .throttled), "HTTP 429") : .now(.accepted)
        }
        let summary = try await bench.run(
            TestBench.campaign(platforms: [.apns, .fcm], delivery: DeliveryPolicy(rate: 100)),
            people: people)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 1_000]))
        #expect(end(of: .fcm, bench) < .seconds(11))
        let slowest = bench.sender.pages.filter { $0.platform == .fcm }
            .compactMap(\.platformInterval).max()
        #expect(slowest == nil, "the other one keeps its rate")
    }

    private static let impatient = RetryLimits(attempts: 3, duration: .seconds(4))

    @Test(
        "A platform that fails pauses the run after the others are sent",
        arguments: [
            (.retry(after: nil, cause: .throttled), .throttled, .resend),
            (.retry(after: nil, cause: .throttled), .throttled, .hold),
            (.unknown, .unanswering, .resend), (.unknown, .unanswering, .hold),
        ] as [(PushDisposition, PauseCause, UnknownPolicy)])
    func platformThatFailsPausesTheRunAfterTheOthersAreSent(
        _ disposition: PushDisposition, _ cause: PauseCause, _ onUnknown: UnknownPolicy
    ) async throws {
        let bench = TestBench { platform, _, _ in
            platform == .fcm ? .now(disposition, "HTTP 599") : .late(.seconds(2), .accepted)
        }
        let campaign = try TestBench.campaign(
            platforms: [.apns, .fcm],
            delivery: DeliveryPolicy(
                rate: 40, concurrency: 8, retry: Self.impatient, onUnknown: onUnknown))
        let first = try await bench.run(campaign, people: people)
        let reason = try #require(first.result.reason(toPause: cause))
        #expect(reason.contains("fcm") && reason.contains("(HTTP 599)"))
        #expect(first.record.state == .paused && first.record.pause == .passing)
        #expect(bench.timesSent(on: .apns).count == 500)
        #expect(first.outcomes[.accepted] == 500)
        #expect(first.outcomes[.notAttempted] > 400)

        bench.sender.answer { _, _, _ in .now(.accepted) }
        let second = try await bench.run(campaign, people: people)
        #expect(second.record.id == first.record.id)
        #expect(second.result == .finished)
        #expect(second.outcomes[.accepted] == 500 + first.outcomes[.notAttempted])
        #expect(bench.timesSent(on: .apns).values.allSatisfy { $0 == 1 })
    }

    @Test(
        "A run whose platforms are all throttled pauses immediately"
    )
    func runWhosePlatformsAreAllThrottledPausesImmediately() async throws {
        let bench = TestBench { _, _, _ in
            .now(.retry(after: .seconds(5), cause: .throttled), "HTTP 429")
        }
        let summary = try await bench.run(
            TestBench.campaign(
                platforms: [.apns, .fcm], delivery: DeliveryPolicy(retry: Self.impatient)),
            people: people)
        #expect(
            summary.result
                == .paused(
                    .throttled,
                    reason:
                        "The hub throttled pushes for longer than `retry.for` (HTTP 429). Continue later, or with a lower rate."
                ))
    }

    @Test(
        "A pause names each platform with its cause",
        arguments: [
            (
                [.apns, .fcm],
                "The hub throttled fcm pushes for longer than `retry.for` (HTTP 429). Continue later, or with a lower rate. The hub gave no usable answer to any apns push (HTTP 500). Continue when it answers again."
            ),
            (
                [.apns, .fcm, .wns],
                "The hub throttled fcm pushes for longer than `retry.for` (HTTP 429). Continue later, or with a lower rate. The hub gave no usable answer to any apns push (HTTP 500); all other due pushes were sent. Continue when it answers again."
            ),
        ] as [([Platform], String)])
    func pauseNamesEachPlatformWithItsCause(platforms: [Platform], reason: String) {
        let held = [
            Pause(.throttled, of: .fcm, detail: "HTTP 429"),
            Pause(.unanswering, of: .apns, detail: "HTTP 500"),
        ]
        #expect(Pause(held, of: platforms)?.reason == reason)
    }

    @Test("Too many failures pause the run even while a platform is held up")
    func tooManyFailuresPauseTheRunEvenWhileAPlatformIsHeldUp() async throws {
        let bench = TestBench { platform, _, _ in
            platform == .fcm
                ? .now(.retry(after: .seconds(5), cause: .throttled))
                : .late(.seconds(10), .rejected)
        }
        let summary = try await bench.run(
            TestBench.campaign(
                platforms: [.apns, .fcm],
                delivery: DeliveryPolicy(
                    rate: 10, retry: Self.impatient,
                    stopWhen: FailureLimit(percent: 5, minimum: 50))), people: people)
        #expect(summary.result.reason(toPause: .tooManyFailures) != nil)
        #expect(summary.record.pause == .person)
    }

    @Test("A platform that was held up is tried again when the run continues")
    func platformThatWasHeldUpIsTriedAgainWhenTheRunContinues() async throws {
        let bench = TestBench { platform, _, _ in
            platform == .fcm
                ? .now(.retry(after: .seconds(5), cause: .throttled)) : .now(.accepted)
        }
        let rule = SendTimeRule(quietHours: nil, localTime: 8 * 60, zone: .utc)
        let campaign = try TestBench.campaign(
            platforms: [.apns, .fcm], sendTimes: rule,
            delivery: DeliveryPolicy(retry: Self.impatient))
        let people =
            ListedAudience.people(count: 20, in: "0", named: "now")
            + ListedAudience.people(count: 20, in: "-3600", named: "later")
        let first = try await bench.run(campaign, people: people)
        #expect(first.result.reason(toPause: .throttled) != nil)
        #expect(first.outcomes == OutcomeCounts([.accepted: 20, .notAttempted: 60]))
        bench.sender.answer { _, _, _ in .now(.accepted) }
        let second = try await bench.run(campaign, people: people)
        #expect(second.outcomes == OutcomeCounts([.accepted: 40, .notAttempted: 40]))
        guard case .waiting = second.result else {
            Issue.record("\(second.result)")
            return
        }
    }

    @Test("Platforms share the connections until only one platform is left")
    func platformsShareTheConnectionsUntilOnlyOnePlatformIsLeft() async throws {
        let bench = TestBench { platform, user, _ in
            platform == .apns && user.text > "u00250"
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
