import Synchronization

/// Whether and when the client retries a failed request.
///
/// It applies to operations that can safely be repeated: reading, listing, deleting, and writing an
/// item whose id is already known. Sends, schedules, ``NotificationHubClient/create(_:)`` and
/// conditional writes are never repeated, because they could take effect twice. The delay before
/// the nth retry is
///
///     retryAfter + random(0...1) × min(initialBackoff × multiplier^(n-1), maximumBackoff)
///
/// If the hub asks the client to wait longer than ``retryAfterLimit``, the operation fails, and
/// ``HubError/retryAfter`` says when to try again.
public struct RetryPolicy: Sendable, Hashable {
    /// The default policy: up to three requests per operation.
    public static let standard = RetryPolicy()

    /// A policy without retries.
    public static let none = RetryPolicy(attempts: 1)

    /// The maximum number of requests for one operation, 1 to 10; 1 means no retries.
    public var attempts: Int

    /// The longest delay before the first retry, 0 to 5 minutes.
    public var initialBackoff: Duration

    /// The longest delay before any retry, 0 to 5 minutes.
    public var maximumBackoff: Duration

    /// The factor by which the longest delay increases with each retry, 1 to 10.
    public var multiplier: Double

    /// The longest `Retry-After` that the client respects, 0 to 5 minutes.
    public var retryAfterLimit: Duration

    /// Creates a retry policy.
    public init(
        attempts: Int = 3, initialBackoff: Duration = .milliseconds(500),
        maximumBackoff: Duration = .seconds(10), multiplier: Double = 2,
        retryAfterLimit: Duration = .seconds(30)
    ) {
        self.attempts = attempts
        self.initialBackoff = initialBackoff
        self.maximumBackoff = maximumBackoff
        self.multiplier = multiplier
        self.retryAfterLimit = retryAfterLimit
    }

    var isValid: Bool {
        let times = Duration.zero...Duration.seconds(300)
        return (1...10).contains(attempts) && (1...10).contains(multiplier)
            && [initialBackoff, maximumBackoff, retryAfterLimit].allSatisfy(times.contains)
    }
}

/// The delays before the requests of one operation, according to the formula of ``RetryPolicy``.
struct RetryDelays: Sendable {
    private let policy: RetryPolicy
    private var backoff: Duration
    private var attempts = 0

    init(_ policy: RetryPolicy) {
        self.policy = policy
        backoff = min(policy.initialBackoff, policy.maximumBackoff)
    }

    /// Returns the delay before the next request, or nil to give up; `random` is from 0 to 1.
    mutating func next(after disposition: Disposition, random: Double) -> Duration? {
        attempts += 1
        guard attempts < policy.attempts, case .retry(let asked) = disposition,
            asked ?? .zero <= policy.retryAfterLimit
        else { return nil }
        defer { backoff = min(backoff * policy.multiplier, policy.maximumBackoff) }
        return (asked ?? .zero) + backoff * random
    }
}

/// Limits a client's retries while a hub is failing.
///
/// It holds up to 10 tokens. A failure that could be retried takes one token, and a success returns
/// a tenth of a token. Nothing is retried while no more than half of the tokens are left.
struct RetryBudget: Sendable {
    private static let most = 100
    private var tenths = Self.most

    var allowsRetry: Bool { tenths > Self.most / 2 }

    mutating func recordSuccess() {
        tenths = min(Self.most, tenths + 1)
    }

    mutating func recordFailure() {
        tenths = max(0, tenths - 10)
    }
}

/// Retries requests according to a policy, for all operations of one client.
final class Retrier: Sendable {
    struct Environment: Sendable {
        /// Waits; returns false if the task was cancelled before the end of the wait.
        var sleep: @Sendable (Duration) async -> Bool
        /// A random number from 0 to 1.
        var random: @Sendable () -> Double

        static let live = Environment(
            sleep: { delay in
                do {
                    try await Task.sleep(for: delay)
                    return true
                } catch {
                    return false
                }
            }, random: { Double.random(in: 0...1) })
    }

    private let policy: RetryPolicy
    private let environment: Environment
    private let budget = Mutex(RetryBudget())

    init(_ policy: RetryPolicy, environment: Environment) {
        self.policy = policy
        self.environment = environment
    }

    /// Makes a request, and retries it as the policy and `again` allow; if the task is cancelled,
    /// throws the last error.
    func run<Value>(
        _ request: () async throws(HubError) -> Value, again: (HubError) -> Bool
    ) async throws(HubError) -> Value {
        var delays = RetryDelays(policy)
        while true {
            do throws(HubError) {
                let value = try await request()
                budget.withLock { $0.recordSuccess() }
                return value
            } catch {
                guard again(error), let delay = delay(after: error.disposition, &delays),
                    await environment.sleep(delay)
                else { throw error }
            }
        }
    }

    private func delay(after disposition: Disposition, _ delays: inout RetryDelays) -> Duration? {
        guard case .retry = disposition else { return nil }
        let isAllowed = budget.withLock { budget in
            budget.recordFailure()
            return budget.allowsRetry
        }
        return isAllowed ? delays.next(after: disposition, random: environment.random()) : nil
    }
}
