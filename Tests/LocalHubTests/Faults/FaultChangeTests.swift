import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct FaultChangeTests {
    private let now = HubUnderTest.now

    private func rule(
        _ status: Int = 500, _ change: (inout FaultRule) -> Void = { _ in }
    ) -> FaultRule {
        var rule = FaultRule(.answer(status: status, retryAfter: nil))
        change(&rule)
        return rule
    }

    private func engine(_ rules: [FaultRule], seed: UInt64 = 1) -> FaultEngine {
        FaultEngine(rules: rules, seed: seed, start: now)
    }

    /// The statuses of the next requests; 0 means no fault.
    private func statuses(
        _ engine: FaultEngine, _ count: Int, after seconds: Double = 0
    ) -> [Int] {
        (0..<count).map { _ in
            let decision = engine.decide(.send, on: .apns, at: now + seconds)
            if case .answer(let status, _) = decision.fault { return status }
            return 0
        }
    }

    @Test("Changing the rules does not reset the counters of unchanged rules")
    func changingTheRulesDoesNotResetTheCountersOfUnchangedRules() throws {
        let engine = engine([rule(500) { $0.first = 3 }])
        #expect(statuses(engine, 2) == [0, 0])
        try engine.add([rule(429) { $0.last = 2 }], at: now)
        #expect(statuses(engine, 3) == [500, 500, 500])
        try engine.remove(number: 1)
        #expect(statuses(engine, 1) == [0])
        try engine.add([rule(503) { $0.first = 2 }], at: now)
        #expect(statuses(engine, 2) == [0, 503])
    }

    @Test("Times in a rule are measured from the moment at which the rule was set")
    func timesInARuleAreMeasuredFromTheMomentAtWhichTheRuleWasSet() throws {
        let timed = rule(503) {
            $0.after = .seconds(10)
            $0.until = .seconds(20)
        }
        let engine = engine([timed])
        try engine.add([rule(429) { $0.until = .seconds(10) }], at: now + 100)
        #expect(statuses(engine, 1, after: 15) == [503])
        #expect(statuses(engine, 1, after: 105) == [429])
        #expect(statuses(engine, 1, after: 110) == [0])
        try engine.replace(with: [timed], at: now + 1_000)
        #expect(statuses(engine, 1, after: 1_005) == [0])
        #expect(statuses(engine, 1, after: 1_010) == [503])
        #expect(statuses(engine, 1, after: 1_020) == [0])
    }

    @Test("Setting the same rules again repeats the same failures")
    func settingTheSameRulesAgainRepeatsTheSameFailures() throws {
        let rules = [rule(500) { $0.share = 0.3 }, rule(429) { $0.share = 0.3 }]
        let fresh = engine(rules)
        let first = statuses(fresh, 200)
        #expect(Set(first) == [0, 429, 500])
        let changed = engine([rule(503)])
        _ = statuses(changed, 7)
        try changed.replace(with: rules, at: now)
        #expect(statuses(changed, 200) == first)
        try changed.replace(with: rules, at: now)
        #expect(statuses(changed, 200) == first)
    }

    @Test("An added rule has its own random numbers") func addedRuleHasItsOwnRandomNumbers() throws
    {
        let half = rule(500) { $0.share = 0.5 }
        let engine = engine([half])
        try engine.add([half], at: now)
        #expect((700...800).contains(statuses(engine, 1_000).count { $0 == 500 }))
        // The random series of the removed rule is available again.
        try engine.remove(number: 1)
        try engine.add([half], at: now)
        #expect((700...800).contains(statuses(engine, 1_000).count { $0 == 500 }))
    }

    @Test("While faults are off, nothing fails and nothing is counted")
    func whileFaultsAreOffNothingFailsAndNothingIsCounted() {
        let engine = engine([rule(500) { $0.last = 2 }, FaultRule(.wrongTokens)])
        let device = DeviceAddress(platform: .apns, handle: "AB12")
        #expect(statuses(engine, 1) == [500])
        #expect(engine.refusal(of: device, at: now) != nil)
        engine.turn(on: false)
        #expect(engine.summary == (false, 2, 1))
        #expect(statuses(engine, 5) == [0, 0, 0, 0, 0])
        #expect(engine.refusal(of: device, at: now) == nil)
        engine.turn(on: true)
        #expect(engine.summary == (true, 2, 2))
        #expect(statuses(engine, 2) == [500, 0])
        #expect(engine.refusal(of: device, at: now) != nil)
    }

    @Test("Wrong-token rules can be set and removed")
    func wrongTokenRulesCanBeSetAndRemoved() throws {
        let engine = engine([])
        let device = DeviceAddress(platform: .apns, handle: "AB12")
        #expect(engine.refusal(of: device, at: now) == nil)
        var wrong = FaultRule(.wrongTokens)
        wrong.after = .seconds(1)
        try engine.add([wrong], at: now + 50)
        #expect(engine.refusal(of: device, at: now + 50) == nil)
        #expect(engine.refusal(of: device, at: now + 51) != nil)
        engine.removeAll()
        #expect(engine.refusal(of: device, at: now + 51) == nil)
    }

    @Test("At most 100 rules are accepted") func atMost100RulesAreAccepted() throws {
        let engine = engine([rule(500)])
        let many = (1...100).map { rule(400 + $0) }
        #expect(throws: HubFailure.self) { try engine.add(many, at: now) }
        #expect(engine.summary == (true, 1, 0))
        try engine.replace(with: many, at: now)
        #expect(throws: HubFailure.self) { try engine.add([rule()], at: now) }
        #expect(throws: HubFailure.self) { try engine.replace(with: many + [rule()], at: now) }
        #expect(engine.rules.rules == many)
    }

    @Test("Removing an unknown rule number is refused", arguments: [0, -1, 2, Int.max])
    func removingAnUnknownRuleNumberIsRefused(number: Int) {
        let engine = engine([rule()])
        #expect(throws: HubFailure.self) { try engine.remove(number: number) }
        #expect(engine.summary.count == 1)
    }
}
