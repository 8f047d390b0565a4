import Storage
import Synchronization

/// Makes the calls of parts in runs wait for a server that is briefly unavailable, or for a process
/// that holds a lock.
///
/// A host that is suspended or cut off during a transaction delays all others until the server ends
/// its session; this delay must not end their work.
final class OutageWait: Sendable {
    private static let firstPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(1)

    /// The maximum wait, measured from the first failure.
    private let patience: Duration
    private let begun: @Sendable (StoreError) -> Void
    private let ended: @Sendable () -> Void
    private let isAway = Atomic(false)
    /// The time when the last call stops waiting; nil unless this process is stopping.
    private let limit = Mutex<ContinuousClock.Instant?>(nil)

    /// Each of the closures is called once per outage.
    init(
        patience: Duration, begun: @escaping @Sendable (StoreError) -> Void = { _ in },
        ended: @escaping @Sendable () -> Void = {}
    ) {
        self.patience = patience
        self.begun = begun
        self.ended = ended
    }

    func hurry(within grace: Duration) {
        limit.withLock { $0 = $0 ?? .now + grace }
    }

    /// Makes a call, and repeats it as long as it fails for a temporary reason; a call whose answer
    /// was lost is repeated even though it may have succeeded.
    ///
    /// With `despiteCancellation`, a cancelled task also waits, and a stopping process waits
    /// briefly. Throws the last error.
    func run<Value: Sendable>(
        despiteCancellation: Bool = false, _ call: () async throws -> Value
    ) async throws -> Value {
        var pause = Self.firstPause
        var end: ContinuousClock.Instant?
        while true {
            do {
                let value = try await call()
                // Usually, nothing has to be written.
                if isAway.load(ordering: .relaxed), isAway.exchange(false, ordering: .relaxed) {
                    ended()
                }
                return value
            } catch {
                let limit = limit.withLock(\.self)
                guard let problem = error as? StoreError, problem.isPassing,
                    despiteCancellation || !Task.isCancelled && limit == nil
                else { throw error }
                let now = ContinuousClock.now
                let last = end ?? now + patience
                guard now < min(last, limit ?? last) else { throw error }
                end = last
                if !isAway.exchange(true, ordering: .relaxed) { begun(problem) }
            }
            // The random delay keeps all processes from returning to the server at the same time.
            let time = pause * Double.random(in: 0.5...1)
            // A cancelled task does not sleep, so it tries once more immediately; a separate task
            // is not cancelled with it.
            if despiteCancellation {
                await Task { try? await Task.sleep(for: time) }.value
            } else {
                try? await Task.sleep(for: time)
            }
            pause = min(pause * 2, Self.longestPause)
        }
    }
}

extension StoreError {
    /// Whether the same call may soon succeed.
    ///
    /// This is true if the server is unreachable, starting, shutting down, or a replica about to be
    /// promoted, or if others held a lock for too long.
    fileprivate var isPassing: Bool {
        switch self {
        case .connectionLost, .unreachable, .busy, .readOnly, .locked: true
        default: false
        }
    }
}
