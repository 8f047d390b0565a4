import CampaignCore
import Synchronization

/// Limits on failed sign-ins, for each user and address, and for each address.
///
/// The first slows down guesses at one person's password. It counts by address, so that nobody can
/// lock out a user from elsewhere. While it is reached, the right password is refused too, since any
/// other answer would tell that a guess is right. The second slows down guesses at many people's
/// passwords. It is wider, because many people may share an address (an office, a mobile network),
/// and it affects neither valid tokens nor passwords that were right from that address a short while
/// ago. Only time makes room again.
final class LoginLimits: Sendable {
    /// The failures of a user from an address: as many at once, and one more for each minute.
    static let pairs = (allowed: 10, interval: Duration.seconds(60))
    /// The failures from an address: as many at once, and ten more for each minute.
    static let addresses = (allowed: 100, interval: Duration.seconds(6))
    /// The most users with an address, and the most addresses, that are remembered.
    static let most = 16_384

    private struct Pair: Hashable {
        let user: Username
        let address: LimitedAddress
    }

    private struct State {
        var pairs: FailureCounts<Pair>
        var addresses: FailureCounts<LimitedAddress>
        /// How many attempts of an address are counted and not decided yet.
        var undecided: [LimitedAddress: Int] = [:]

        /// One attempt of an address is decided.
        mutating func decide(_ address: LimitedAddress) {
            guard let count = undecided[address] else { return }
            undecided[address] = count > 1 ? count - 1 : nil
        }
    }

    private let clock: IdentityClock
    private let state: Mutex<State>

    /// Makes limits that nobody has reached.
    ///
    /// - Parameters:
    ///   - clock: the time that failures are forgotten by.
    ///   - most: the most users with an address, and the most addresses, that are remembered.
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

    /// How long passwords of a user from an address are refused unseen; nil: they are checked.
    func wait(user: Username, address: LimitedAddress) -> Duration? {
        let now = clock.instant()
        return state.withLock { $0.pairs.wait(for: Pair(user: user, address: address), now: now) }
    }

    /// Counts an attempt at a password as a failure; ``forgive(user:address:)`` or
    /// ``confirm(address:)`` then says whether it was one.
    ///
    /// - Parameters:
    ///   - user: whose password it would be.
    ///   - address: where it comes from.
    ///   - wasCompared: whether it was compared with a proven password already; such a guess counts
    ///     for the user even when the address is at its limit, or guesses would be unlimited.
    /// - Returns: nil when it may be hashed; otherwise how long to wait until it may.
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

    /// How many attempts of an address have failed lately, without those that are undecided.
    func failures(of address: LimitedAddress) -> Int {
        let now = clock.instant()
        return state.withLock { state in
            max(
                0,
                state.addresses.failures(of: address, now: now)
                    - state.undecided[address, default: 0])
        }
    }

    /// Says that an attempt failed, as it was counted.
    func confirm(address: LimitedAddress) {
        state.withLock { $0.decide(address) }
    }

    /// Says that an attempt did not fail, and takes it out of the counts.
    func forgive(user: Username, address: LimitedAddress) {
        let now = clock.instant()
        state.withLock { state in
            state.pairs.forgive(Pair(user: user, address: address), now: now)
            state.addresses.forgive(address, now: now)
            state.decide(address)
        }
    }

    /// Counts credentials that nobody issued, such as a forged token, for their address.
    ///
    /// - Returns: how long the address stays at its limit; nil when it is not at its limit.
    func fail(address: LimitedAddress) -> Duration? {
        let now = clock.instant()
        return state.withLock { state in
            if let wait = state.addresses.wait(for: address, now: now) { return wait }
            state.addresses.add(address, now: now)
            return nil
        }
    }
}
