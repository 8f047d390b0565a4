import Foundation
import HTTPTypes
import Synchronization

/// Decides what goes wrong, by rules and a seed: the same requests in the same order fail in the same way.
///
/// Rules are tried in order. Latency adds up, the slowest of several speeds counts, and of those that replace
/// the answer the first one does. Rules come and go while the hub runs; those that stay go on as if nothing had
/// happened.
final class FaultEngine: Sendable {
    /// The most rules that changes may lead to.
    static let mostRules = 100
    /// What keeps the lots of a rule's jitter apart from those of every rule's share.
    private static let jitterSeries = 1 << 20

    /// A rule, and how far it has come.
    private struct Entry {
        let rule: FaultRule
        /// The series of its lots, which no other rule has at the same time.
        let series: Int
        /// What its times are measured from.
        let start: Date
        /// How many requests it has been asked about.
        var number = 0
    }

    private struct State {
        var entries: [Entry]
        var isOn = true
    }

    private let lot: FaultLot
    private let state: Mutex<State>

    /// Makes an engine that is on.
    ///
    /// - Parameters:
    ///   - rules: the rules.
    ///   - seed: what the lots are drawn by.
    ///   - start: when the hub started.
    init(rules: [FaultRule], seed: UInt64, start: Date) {
        lot = FaultLot(seed: seed)
        state = Mutex(State(entries: Self.entries(rules, from: start)))
    }

    /// What goes wrong with a request that is authorised.
    ///
    /// - Parameters:
    ///   - operation: what the request asks for.
    ///   - platform: the push service of a native send.
    ///   - now: the hub's time.
    /// - Returns: the decision.
    func decide(
        _ operation: HubOperation, on platform: LocalHubPlatform?, at now: Date
    ) -> FaultDecision {
        state.withLock { state in
            var decision = FaultDecision()
            guard state.isOn else { return decision }
            for place in state.entries.indices
            where state.entries[place].rule.concerns(operation, platform) {
                state.entries[place].number += 1
                let entry = state.entries[place]
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

    /// Why a push to a device fails whatever it says; nil: it does not.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - now: the hub's time.
    /// - Returns: the refusal.
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
        return isWrong ? .wrongAddress(on: device.platform, wasKnown: true) : nil
    }

    /// Whether anything goes wrong, and the rules in order.
    var rules: (isOn: Bool, rules: [FaultRule]) {
        state.withLock { ($0.isOn, $0.entries.map(\.rule)) }
    }

    /// Whether anything goes wrong, and how many rules there are.
    var summary: (isOn: Bool, count: Int) {
        state.withLock { ($0.isOn, $0.entries.count) }
    }

    /// Says whether anything goes wrong at all.
    ///
    /// While nothing does, requests are not counted; time goes on.
    func turn(on isOn: Bool) {
        state.withLock { $0.isOn = isOn }
    }

    /// Puts rules in the place of all there are, as if the hub had started with them now.
    ///
    /// - Throws: a 400 when they are too many.
    func replace(with rules: [FaultRule], at now: Date) throws(HubFailure) {
        guard rules.count <= Self.mostRules else { throw .tooManyFaults }
        state.withLock { $0.entries = Self.entries(rules, from: now) }
    }

    /// Puts rules behind those that there are; their counts and times begin now.
    ///
    /// - Throws: a 400 when they would be too many.
    func add(_ rules: [FaultRule], at now: Date) throws(HubFailure) {
        let isAdded = state.withLock { state in
            guard state.entries.count + rules.count <= Self.mostRules else { return false }
            let taken = Set(state.entries.map(\.series))
            let free = (0...).lazy.filter { !taken.contains($0) }
            state.entries += zip(rules, free).map { Entry(rule: $0, series: $1, start: now) }
            return true
        }
        guard isAdded else { throw .tooManyFaults }
    }

    /// Removes all rules.
    func removeAll() {
        state.withLock { $0.entries = [] }
    }

    /// Removes a rule.
    ///
    /// - Parameter number: its place, counted from 1.
    /// - Throws: a 404 when there is none at the place.
    func remove(number: Int) throws(HubFailure) {
        let count = state.withLock { state in
            let count = state.entries.count
            if (1...max(count, 1)).contains(number), count > 0 {
                state.entries.remove(at: number - 1)
                return nil as Int?
            }
            return count
        }
        if let count { throw .noFault(number, of: count) }
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
    /// There would be more rules than a hub takes while it runs.
    fileprivate static let tooManyFaults = badRequest(
        "There would be more than \(FaultEngine.mostRules) faults; remove some.")

    /// There is no rule at a place.
    fileprivate static func noFault(_ number: Int, of count: Int) -> HubFailure {
        let known = count == 0 ? "there is none" : "they are numbered from 1 to \(count)"
        return HubFailure(status: .notFound, detail: "There is no fault \(number): \(known).")
    }
}
