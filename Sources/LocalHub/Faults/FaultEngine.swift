import Foundation
import HTTPTypes
import Synchronization

/// Uses rules and a seed to determine which requests fail: the same requests in the same order
/// always fail in the same way.
///
/// Latencies add up, the slowest speed applies, and the first rule that replaces the response wins.
final class FaultEngine: Sendable {
    /// The maximum number of rules after a change.
    static let mostRules = 100
    /// The offset between the random series for a rule's share and the series for its jitter.
    private static let jitterSeries = 1 << 20

    private struct Entry {
        let rule: FaultRule
        /// The series of random numbers, which no other current rule uses.
        let series: Int
        /// The time from which the rule's `after` and `until` are measured.
        let start: Date
        var number = 0
    }

    private struct State {
        var entries: [Entry]
        var isOn = true
        /// The number of times that the rules or the switch have changed.
        var revision = 0
    }

    private let lot: FaultLot
    private let state: Mutex<State>

    init(rules: [FaultRule], seed: UInt64, start: Date) {
        lot = FaultLot(seed: seed)
        state = Mutex(State(entries: Self.entries(rules, from: start)))
    }

    func decide(
        _ operation: HubOperation, on platform: LocalHubPlatform?, at now: Date
    ) -> FaultDecision {
        state.withLock { state in
            var decision = FaultDecision()
            guard state.isOn else { return decision }
            for index in state.entries.indices
            where state.entries[index].rule.concerns(operation, platform) {
                state.entries[index].number += 1
                let entry = state.entries[index]
                let chance = lot.draw(UInt64(entry.number), series: entry.series)
                guard
                    entry.rule.holds(
                        number: entry.number, elapsed: elapsed(since: entry.start, at: now),
                        chance: chance)
                else { continue }
                apply(entry, to: &decision)
            }
            return decision
        }
    }

    /// The reason why all pushes to a device fail; nil if they do not.
    func refusal(of device: DeviceAddress, at now: Date) -> PushRefusal? {
        let isWrong = state.withLock { state in
            state.isOn
                && state.entries.contains { entry in
                    entry.rule.effect == .wrongTokens
                        && entry.rule.holds(
                            for: device, elapsed: elapsed(since: entry.start, at: now),
                            chance: lot.draw(
                                FaultLot.number(of: device.handle), series: entry.series))
                }
        }
        return isWrong ? .expiredAddress(on: device.platform) : nil
    }

    var rules: (isOn: Bool, rules: [FaultRule], revision: Int) {
        state.withLock { ($0.isOn, $0.entries.map(\.rule), $0.revision) }
    }

    var summary: (isOn: Bool, count: Int, revision: Int) {
        state.withLock { ($0.isOn, $0.entries.count, $0.revision) }
    }

    /// Turns all rules on or off; requests are not counted while they are off.
    func turn(on isOn: Bool) {
        state.withLock { state in
            state.isOn = isOn
            state.revision += 1
        }
    }

    /// Replaces all rules; throws a 400 if there are too many.
    func replace(with rules: [FaultRule], at now: Date) throws(HubFailure) {
        guard rules.count <= Self.mostRules else { throw .tooManyFaults }
        state.withLock { state in
            state.entries = Self.entries(rules, from: now)
            state.revision += 1
        }
    }

    /// Appends rules; throws a 400 if there would be too many.
    func add(_ rules: [FaultRule], at now: Date) throws(HubFailure) {
        let isAdded = state.withLock { state in
            guard state.entries.count + rules.count <= Self.mostRules else { return false }
            let taken = Set(state.entries.map(\.series))
            let free = (0...).lazy.filter { !taken.contains($0) }
            state.entries += zip(rules, free).map { Entry(rule: $0, series: $1, start: now) }
            state.revision += 1
            return true
        }
        guard isAdded else { throw .tooManyFaults }
    }

    func removeAll() {
        state.withLock { state in
            state.entries = []
            state.revision += 1
        }
    }

    /// Removes a rule by its number, from 1; throws a 409 if the revision is not the current one,
    /// and a 404 for an unknown number.
    func remove(number: Int, revision: Int? = nil) throws(HubFailure) {
        try state.withLock { state throws(HubFailure) in
            guard revision ?? state.revision == state.revision else { throw .otherFaults }
            let index = number - 1
            guard state.entries.indices.contains(index) else {
                throw .noFault(number, of: state.entries.count)
            }
            state.entries.remove(at: index)
            state.revision += 1
        }
    }

    private static func entries(_ rules: [FaultRule], from start: Date) -> [Entry] {
        rules.enumerated().map { Entry(rule: $1, series: $0, start: start) }
    }

    private func elapsed(since start: Date, at now: Date) -> Duration {
        .seconds(max(now.timeIntervalSince(start), 0))
    }

    private func apply(_ entry: Entry, to decision: inout FaultDecision) {
        switch entry.rule.effect {
        case .latency(let time, let jitter):
            let part = lot.draw(UInt64(entry.number), series: entry.series + Self.jitterSeries)
            decision.delay += time + jitter * part
        case .slow(let rate):
            decision.bytesPerSecond = min(decision.bytesPerSecond ?? rate, rate)
        case .answer(let status, let retryAfter):
            decision.fault =
                decision.fault ?? .answer(status: status, retryAfter: retryAfter)
        case .drop(let takesEffect):
            decision.fault = decision.fault ?? .drop(takesEffect: takesEffect)
        case .hang(let takesEffect):
            decision.fault = decision.fault ?? .hang(takesEffect: takesEffect)
        case .wrongTokens:
            break
        }
    }
}

extension HubFailure {
    fileprivate static let tooManyFaults = badRequest(
        "The local hub can have up to \(FaultEngine.mostRules) faults; remove some.")

    fileprivate static let otherFaults = HubFailure(
        status: .conflict,
        detail:
            "The faults have changed since that revision, so the number may now refer to another "
            + "fault. Read /.hubsend/faults again, and repeat the request with the current "
            + "revision.")

    fileprivate static func noFault(_ number: Int, of count: Int) -> HubFailure {
        let known = count == 0 ? "no faults are set" : "the faults are numbered 1 to \(count)"
        return HubFailure(status: .notFound, detail: "There is no fault \(number): \(known).")
    }
}

/// Random numbers computed from a counter, so that concurrent requests do not change the number
/// that a request gets.
private struct FaultLot: Sendable {
    let seed: UInt64

    /// The random number for a counter value within a series, at least 0 and below 1.
    func draw(_ number: UInt64, series: Int) -> Double {
        let mixed = Self.mixed(Self.mixed(seed &+ UInt64(series) &* 0x9E37_79B9_7F4A_7C15) ^ number)
        return Double(mixed >> 11) / Double(1 << 53)
    }

    /// The FNV-1a hash of a string, which is the same in every run and on every machine.
    static func number(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The finaliser of SplitMix64.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
