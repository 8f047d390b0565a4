import CampaignCore
import Synchronization

/// Limits failed sign-ins per pair of user and address, and per address.
///
/// The limit for pairs slows down guesses at one user's password. It includes the address so that
/// nobody can lock out a user from elsewhere. At the limit, even the right password is refused,
/// because any other response would confirm a guess. The limit for addresses slows down guesses at
/// many users' passwords. It is higher, because many people may share an address (an office, a
/// mobile network), and does not affect valid tokens or passwords recently proven from that
/// address. Counts decrease only with time.
final class LoginLimits: Sendable {
    /// The limit for failures of a user from an address: `allowed` at once, then one per
    /// `interval`.
    static let pairs = (allowed: 10, interval: Duration.seconds(60))
    /// The limit for failures from an address: `allowed` at once, then one per `interval`.
    static let addresses = (allowed: 100, interval: Duration.seconds(6))
    /// The maximum number of remembered pairs, and of remembered addresses.
    static let most = 16_384

    private struct Pair: Hashable {
        let user: Username
        let address: LimitedAddress
    }

    private struct State {
        var pairs: FailureCounts<Pair>
        var addresses: FailureCounts<LimitedAddress>
        /// Attempts that are counted but have no result yet.
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

    /// How long to refuse a user's passwords from an address without checking them; nil if they
    /// should be checked.
    func wait(user: Username, address: LimitedAddress) -> Duration? {
        let now = clock.instant()
        return state.withLock { $0.pairs.wait(for: Pair(user: user, address: address), now: now) }
    }

    /// Counts an attempt as a failure until ``forgive(user:address:)`` or ``confirm(address:)``.
    ///
    /// - Parameter wasCompared: whether the attempt was compared with a proven password. If so,
    ///   it is counted for the user even if the address is at its limit; otherwise, guesses would
    ///   be unlimited.
    /// - Returns: nil if the password may be hashed; otherwise, how long to wait.
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

    /// The number of recent failed attempts of an address, excluding those that have no result yet.
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

    /// Removes an attempt that did not fail from the counts.
    func forgive(user: Username, address: LimitedAddress) {
        let now = clock.instant()
        state.withLock { state in
            state.pairs.forgive(Pair(user: user, address: address), now: now)
            state.addresses.forgive(address, now: now)
            state.decide(address)
        }
    }

    /// Counts forged credentials.
    ///
    /// - Returns: how long the address stays at its limit; nil if it is below the limit.
    func fail(address: LimitedAddress) -> Duration? {
        let now = clock.instant()
        return state.withLock { state in
            if let wait = state.addresses.wait(for: address, now: now) { return wait }
            state.addresses.add(address, now: now)
            return nil
        }
    }
}
