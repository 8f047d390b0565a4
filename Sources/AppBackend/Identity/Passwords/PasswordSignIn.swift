import CampaignCore
import Crypto
import Synchronization

/// Signs people in by name and password.
///
/// An attempt is treated as a failure until the password is hashed and matches, so parallel
/// attempts cannot exceed the limit. Identical simultaneous attempts from one address are hashed
/// only once, for example when a device fetches ten notifications.
final class PasswordSignIn: Sendable {
    private struct Check: Hashable {
        let user: Username
        let owner: ProvenPasswords.Owner
        let code: PasswordCode
    }

    private typealias Waiter = CheckedContinuation<PasswordVerdict, Never>

    private struct State {
        var proven = ProvenPasswords()
        var checks: [Check: [Waiter]] = [:]
    }

    static let mostChecks = 64
    static let mostChecksOfAnAddress = 16
    private static let retryAfter = Duration.seconds(5)

    private let file: WatchedFiles<PasswordFile>
    private let limits: LoginLimits
    private let clock: IdentityClock
    private let threads: HashingThreads
    private let key = SymmetricKey(size: .bits256)
    private let state = Mutex(State())

    init(
        file: WatchedFiles<PasswordFile>, limits: LoginLimits, clock: IdentityClock,
        threads: HashingThreads
    ) {
        self.file = file
        self.limits = limits
        self.clock = clock
        self.threads = threads
    }

    func check(
        _ credentials: BasicCredentials, from address: LimitedAddress
    ) async throws(SignInRefusal) {
        let file = try file.content()
        let user = credentials.user
        let password = credentials.password
        let known = file.hash(of: user)
        // This is computed for every user, so that unknown users take no extra time.
        let decoy = file.decoy(for: user, key: key)
        let hash = known ?? decoy
        let owner = ProvenPasswords.Owner(user: user.text, address: address)
        let check = Check(
            user: user, owner: owner, code: PasswordCode(password, hash, key: key))
        // This must precede the comparison with proven passwords, which would reveal whether a
        // guess is right.
        if let wait = limits.wait(user: user, address: address) {
            throw .tooManyFailures(retryAfter: wait)
        }
        let now = clock.instant()
        let (isProven, wasCompared) = state.withLock { state in
            (
                known != nil && state.proven.contains(check.code, of: owner, now: now),
                state.proven.isKnown(owner, now: now)
            )
        }
        if isProven { return }
        let isTooLong = password.count > hash.method.longestPassword
        let verdict = await withCheckedContinuation { waiter in
            guard isFirst(waiter, for: check) else { return }
            begin(check, wasCompared: wasCompared) {
                isTooLong ? .wrong : Self.verdict(on: password, hash, isKnown: known != nil)
            }
        }
        switch verdict {
        case .right:
            return
        case .wrong:
            throw .unauthenticated(
                reason: isTooLong
                    ? "the password has more than \(hash.method.longestPassword) bytes, "
                        + "which \(hash.method) does not accept"
                    : "there is no such user, or the password is wrong")
        case .refused(let refusal):
            throw refusal
        }
    }

    /// Adds a waiter; returns true if it is the first one, which must start the check.
    private func isFirst(_ waiter: Waiter, for check: Check) -> Bool {
        state.withLock { state in
            let isFirst = state.checks[check] == nil
            state.checks[check, default: []].append(waiter)
            return isFirst
        }
    }

    private func begin(
        _ check: Check, wasCompared: Bool, _ hash: @escaping @Sendable () -> PasswordVerdict
    ) {
        let (user, address) = (check.user, check.owner.address)
        if let wait = limits.begin(user: user, address: address, wasCompared: wasCompared) {
            return end(check, .refused(.tooManyFailures(retryAfter: wait)))
        }
        let refuse = { @Sendable () -> Void in
            self.limits.forgive(user: user, address: address)
            self.end(
                check,
                .refused(
                    .closed(
                        reason: "too many passwords are waiting to be checked",
                        retryAfter: Self.retryAfter)))
        }
        do throws(HashingThreads.Full) {
            try threads.submit(
                from: address, failures: limits.failures(of: address), displaced: refuse
            ) {
                let verdict = hash()
                if verdict == .wrong {
                    self.limits.confirm(address: address)
                } else {
                    self.limits.forgive(user: user, address: address)
                }
                self.end(check, verdict)
            }
        } catch {
            refuse()
        }
    }

    private func end(_ check: Check, _ verdict: PasswordVerdict) {
        let now = clock.instant()
        let waiters = state.withLock { state in
            if verdict == .right { state.proven.keep(check.code, of: check.owner, now: now) }
            return state.checks.removeValue(forKey: check) ?? []
        }
        for waiter in waiters { waiter.resume(returning: verdict) }
    }

    private static func verdict(
        on password: [UInt8], _ hash: PasswordHash, isKnown: Bool
    ) -> PasswordVerdict {
        do throws(PasswordHashing.Failure) {
            return try PasswordHashing.matches(password, hash) && isKnown ? .right : .wrong
        } catch {
            return .refused(
                .closed(
                    reason: "the system could not hash a password: \(error.reason)",
                    retryAfter: retryAfter))
        }
    }
}

private enum PasswordVerdict: Equatable, Sendable {
    case right
    case wrong
    case refused(SignInRefusal)
}
