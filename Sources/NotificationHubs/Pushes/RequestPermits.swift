import CampaignCore
import Synchronization

/// Bounds the requests in flight over all pages of a sender, and over those of each platform.
///
/// The platform with the fewest in flight goes first; within one, first come, first served. Waiting is
/// not cut short by cancellation: every permit comes back within a request's timeout, and a page has
/// to wait for its own requests in flight anyway.
final class RequestPermits: Sendable {
    private struct Share {
        var limit = Int.max
        var taken = 0
        var waiters: [CheckedContinuation<Void, Never>] = []

        var hasRoom: Bool { taken < limit }
    }

    private struct State {
        var free: Int
        var shares: [Platform: Share] = [:]

        /// Takes a permit for those that wait, one after the other, for as long as there are any.
        mutating func takeForWaiters() -> [CheckedContinuation<Void, Never>] {
            var lucky: [CheckedContinuation<Void, Never>] = []
            while free > 0,
                let next = shares.filter({ !$0.value.waiters.isEmpty && $0.value.hasRoom })
                    .min(by: { $0.value.taken < $1.value.taken })?.key,
                let waiter = shares[next]?.waiters.removeFirst()
            {
                free -= 1
                shares[next]?.taken += 1
                lucky.append(waiter)
            }
            return lucky
        }
    }

    private let state: Mutex<State>

    /// Makes permits.
    ///
    /// - Parameter count: how many requests may be in flight, 1 or more.
    init(count: Int) {
        state = Mutex(State(free: count))
    }

    /// Bounds a platform.
    ///
    /// - Parameters:
    ///   - platform: the platform.
    ///   - limit: its requests in flight, at least 1; nil: as many as there are permits.
    func limit(_ platform: Platform, to limit: Int?) {
        change { $0.shares[platform, default: Share()].limit = limit.map { max($0, 1) } ?? .max }
    }

    /// Takes a permit, waiting for one if all are out.
    func take(_ platform: Platform) async {
        await withCheckedContinuation { continuation in
            change { $0.shares[platform, default: Share()].waiters.append(continuation) }
        }
    }

    /// Gives a permit back, to the one whose turn it is.
    func giveBack(_ platform: Platform) {
        change { state in
            state.free += 1
            state.shares[platform]?.taken -= 1
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let lucky = state.withLock { state in
            body(&state)
            return state.takeForWaiters()
        }
        for waiter in lucky { waiter.resume() }
    }
}
