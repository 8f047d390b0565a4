import CampaignCore
import Synchronization

/// Limits on failed sign-ins, for each pair of user and address, and for each address.
///
/// The limit for pairs slows down guesses at one person's password; it includes the address so that
/// nobody can lock out a user from elsewhere. At the limit the right password is refused too, since
/// any other answer would confirm a guess. The limit for addresses slows down guesses at many
/// people's passwords. It is wider, because many people may share an address (an office, a mobile
/// network), and does not affect valid tokens or passwords proven from that address a short while
/// ago. Only time makes room again.
final class LoginLimits: Sendable {
    /// Failures of a user from an address: `allowed` at once, then one per `interval`.
    static let pairs = (allowed: 10, interval: Duration.seconds(60))
    /// Failures from an address: `allowed` at once, then one per `interval`.
    static let addresses = (allowed: 100, interval: Duration.seconds(6))
    /// The most pairs, and the most addresses, that are remembered.
    static let most = 16_384

    private struct Pair: Hashable {
        let user: Username
        let address: LimitedAddress
    }

    private struct State {
        var pairs: FailureCounts<Pair>
        var addresses: FailureCounts<LimitedAddress>
        /// Attempts that are counted but not decided yet.
        var undecided: [LimitedAddress: Int] = [:]

        mutating func decide(_ address: LimitedAddress) {
            guard let count = undecided[address] else { return }
            undecided[address] = count > 1 ? count - 1 : nil
        }
    }

    private let clock: IdentityClock
    private let state: Mutex<State>

    init(clock: IdentityClock, most: Int = LoginLimits.most) {
        self.clock = clock
        state = Mutex(
            State(
                pairs: FailureCounts(
                    allowed: Self.pairs.allowed, interval: Self.pairs.interval, limit: most),
                addresses: FailureCounts(
                    allowed: Self.addresses.allowed, interval: Self.addresses.interval,
                    limit: most)))
    }

    /// How long to refuse passwords of a user from an address unchecked; nil means check them.
    func wait(user: Username, address: LimitedAddress) -> Duration? {
        let now = clock.instant()
        return state.withLock { $0.pairs.wait(for: Pair(user: user, address: address), now: now) }
    }

    /// Counts an attempt as a failure until ``forgive(user:address:)`` or ``confirm(address:)``.
    ///
    /// - Parameter wasCompared: whether it was compared with a proven password. If so, it counts
    ///   for the user even when the address is at its limit, or guesses would be unlimited.
    /// - Returns: nil when it may be hashed, otherwise how long to wait.
    func begin(user: Username, address: LimitedAddress, wasCompared: Bool) -> Duration? {
        let now = clock.instant()
        let pair = Pair(user: user, address: address)
        return state.withLock { state in
            if let wait = state.pairs.wait(for: pair, now: now) { return wait }
            let wait = state.addresses.wait(for: address, now: now)
            if wait == nil || wasCompared { state.pairs.add(pair, now: now) }
            if wait == nil {
                state.addresses.add(address, now: now)
                state.undecided[address, default: 0] += 1
            }
            return wait
        }
    }

    /// Recent failed attempts of an address, without undecided ones.
    func failures(of address: LimitedAddress) -> Int {
        let now = clock.instant()
        return state.withLock { state in
            max(
                0,
                state.addresses.failures(of: address, now: now)
                    - state.undecided[address, default: 0])
        }
    }

    func confirm(address: LimitedAddress) {
        state.withLock { $0.decide(address) }
    }

    /// The attempt did not fail; removes it from the counts.
    func forgive(user: Username, address: LimitedAddress) {
        let now = clock.instant()
        state.withLock { state in
            state.pairs.forgive(Pair(user: user, address: address), now: now)
            state.addresses.forgive(address, now: now)
            state.decide(address)
        }
    }

    /// Counts credentials that nobody issued, such as a forged token.
    ///
    /// - Returns: how long the address stays at its limit; nil when it is below.
    func fail(address: LimitedAddress) -> Duration? {
        let now = clock.instant()
        return state.withLock { state in
            if let wait = state.addresses.wait(for: address, now: now) { return wait }
            state.addresses.add(address, now: now)
            return nil
        }
    }
}
