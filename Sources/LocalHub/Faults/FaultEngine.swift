import Foundation
import Synchronization

/// Decides what goes wrong, by rules and a seed: the same requests in the same order fail in the same way.
///
/// Rules are tried in order. Latency adds up, the slowest of several speeds counts, and of those that replace
/// the answer the first one does.
final class FaultEngine: Sendable {
    private let rules: [FaultRule]
    private let lot: FaultLot
    private let start: Date
    /// How many requests each rule has been asked about.
    private let numbers: Mutex<[Int]>

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - rules: the rules.
    ///   - seed: what the lots are drawn by.
    ///   - start: when the hub started.
    init(rules: [FaultRule], seed: UInt64, start: Date) {
        self.rules = rules
        lot = FaultLot(seed: seed)
        self.start = start
        numbers = Mutex([Int](repeating: 0, count: rules.count))
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
        var decision = FaultDecision()
        guard !rules.isEmpty else { return decision }
        let elapsed = Duration.seconds(max(now.timeIntervalSince(start), 0))
        for (place, rule) in rules.enumerated() where rule.concerns(operation, platform) {
            let number = numbers.withLock { numbers in
                numbers[place] += 1
                return numbers[place]
            }
            let chance = lot.draw(UInt64(number), series: place)
            guard rule.holds(number: number, elapsed: elapsed, chance: chance) else { continue }
            apply(rule.effect, to: &decision, place: place, number: number)
        }
        return decision
    }

    /// Why a push to a device fails whatever it says; nil: it does not.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - now: the hub's time.
    /// - Returns: the refusal.
    func refusal(of device: DeviceAddress, at now: Date) -> PushRefusal? {
        let elapsed = Duration.seconds(max(now.timeIntervalSince(start), 0))
        for (place, rule) in rules.enumerated() where rule.effect == .wrongTokens {
            guard rule.platforms?.contains(device.platform) ?? true, elapsed >= rule.after,
                rule.until.map({ elapsed < $0 }) ?? true,
                lot.draw(FaultLot.number(of: device.handle), series: place) < rule.share
            else { continue }
            return .wrongAddress(on: device.platform, wasKnown: true)
        }
        return nil
    }

    private func apply(
        _ effect: FaultEffect, to decision: inout FaultDecision, place: Int, number: Int
    ) {
        switch effect {
        case .latency(let time, let jitter):
            // Its own series, or a share and its jitter would be one lot.
            let part = lot.draw(UInt64(number), series: place + rules.count)
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
