import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct FaultEngineTests {
    private func engine(_ rules: [FaultRule], seed: UInt64 = 1) -> FaultEngine {
        FaultEngine(rules: rules, seed: seed, start: HubUnderTest.now)
    }

    private func rule(
        _ effect: FaultEffect = .answer(status: 500, retryAfter: nil),
        _ change: (inout FaultRule) -> Void = { _ in }
    ) -> FaultRule {
        var rule = FaultRule(effect)
        change(&rule)
        return rule
    }

    /// The numbers of the failing requests.
    private func failed(
        _ rules: [FaultRule], of count: Int = 20, seed: UInt64 = 1,
        operation: HubOperation = .send, platform: LocalHubPlatform? = .apns,
        at elapsed: TimeInterval = 0
    ) -> [Int] {
        let engine = engine(rules, seed: seed)
        let now = HubUnderTest.now.addingTimeInterval(elapsed)
        return (1...count).filter { _ in
            engine.decide(operation, on: platform, at: now).fault != nil
        }
    }

    @Test("Rules can select requests by number") func rulesCanSelectRequestsByNumber() {
        #expect(failed([rule { $0.last = 3 }]) == [1, 2, 3])
        #expect(failed([rule { $0.first = 18 }]) == [18, 19, 20])
        #expect(failed([rule { $0.every = 5 }]) == [1, 6, 11, 16])
        #expect(
            failed([
                rule {
                    $0.first = 4
                    $0.every = 5
                    $0.last = 13
                }
            ]) == [4, 9])
    }

    @Test("Rules can select requests by time") func rulesCanSelectRequestsByTime() {
        let rules = [
            rule {
                $0.after = .seconds(10)
                $0.until = .seconds(20)
            }
        ]
        let counts = [0, 9.9, 10, 19.9, 20].map { failed(rules, of: 2, at: $0).count }
        #expect(counts == [0, 0, 2, 2, 0])
    }

    @Test("Only requests that match the scope and platform are counted")
    func onlyRequestsThatMatchTheScopeAndPlatformAreCounted() {
        let rules = [
            rule {
                $0.platforms = [.fcm]
                $0.last = 1
            }
        ]
        let engine = engine(rules)
        let decide = { (operation: HubOperation, platform: LocalHubPlatform?) in
            engine.decide(operation, on: platform, at: HubUnderTest.now).fault != nil
        }
        #expect(!decide(.send, .apns))
        #expect(!decide(.send, nil))
        #expect(!decide(.registrations, .fcm))
        #expect(decide(.batchSend, .fcm))
        #expect(!decide(.send, .fcm))
        #expect(failed([rule { $0.scope = .all }], of: 1, operation: .entity(.read)) == [1])
        #expect(
            failed([rule { $0.scope = .telemetry }], of: 1, operation: .telemetry(id: "")) == [1])
        #expect(failed([rule { $0.scope = .installations }], of: 1).isEmpty)
    }

    @Test("A share is approximate, and the same seed selects the same requests")
    func shareIsApproximateAndTheSameSeedSelectsTheSameRequests() {
        let rules = [rule { $0.share = 0.05 }]
        let once = failed(rules, of: 10_000, seed: 3)
        #expect((400...600).contains(once.count))
        #expect(failed(rules, of: 10_000, seed: 3) == once)
        #expect(failed(rules, of: 10_000, seed: 4) != once)
        // A second rule has its own random numbers.
        let two = failed([rule { $0.share = 0.5 }, rule { $0.share = 0.5 }], of: 10_000)
        #expect((7_200...7_800).contains(two.count))
    }

    @Test("The first fault that replaces the response is used, and latencies add up")
    func firstFaultThatReplacesTheResponseIsUsedAndLatenciesAddUp() {
        let engine = engine([
            rule(.latency(.seconds(1), jitter: .zero)),
            rule(.latency(.seconds(2), jitter: .seconds(1))),
            rule(.slow(bytesPerSecond: 100)), rule(.slow(bytesPerSecond: 10)),
            rule(.drop(takesEffect: true)), rule(.hang(takesEffect: false)),
        ])
        let decision = engine.decide(.send, on: nil, at: HubUnderTest.now)
        #expect(decision.fault == .drop(takesEffect: true))
        #expect(decision.bytesPerSecond == 10)
        #expect(decision.delay >= .seconds(3) && decision.delay < .seconds(4))
        #expect(decision.delay != .seconds(3))
    }

    @Test("The same devices always have wrong tokens") func sameDevicesAlwaysHaveWrongTokens() {
        let engine = engine([rule(.wrongTokens) { $0.share = 0.1 }], seed: 9)
        let devices = (0..<10_000).map { DeviceAddress(platform: .apns, handle: "AB\($0)") }
        let wrong = devices.filter { engine.refusal(of: $0, at: HubUnderTest.now) != nil }
        #expect((900...1_100).contains(wrong.count))
        #expect(devices.filter { engine.refusal(of: $0, at: HubUnderTest.now) != nil } == wrong)
        #expect(engine.refusal(of: wrong[0], at: HubUnderTest.now)?.outcome == .wrongToken)
        #expect(engine.decide(.send, on: .apns, at: HubUnderTest.now).isNothing)
    }
}
