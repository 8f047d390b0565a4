import Storage
import Synchronization

/// Waits for a server that is briefly away, and for a process that holds a lock.
///
/// A host that is suspended or cut off in a transaction delays all others until the server ends its
/// session, which must not end their work.
struct RideOut: Sendable {
    /// From the first failure on.
    let patience: Duration
    /// What all calls of a part know of the server.
    let outage: Outage

    private static let firstPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(1)

    /// Makes a call, and repeats it while it fails for a reason that passes, even if it was done
    /// and its answer was lost.
    ///
    /// With `despiteCancellation`, a cancelled task waits too, and a process that is to end does
    /// until ``Outage/limit``. Throws the last error.
    func run<Value: Sendable>(
        despiteCancellation: Bool, _ call: () async throws -> Value
    ) async throws -> Value {
        var pause = Self.firstPause
        var end: ContinuousClock.Instant?
        while true {
            do {
                let value = try await call()
                outage.end()
                return value
            } catch {
                guard let fault = error as? StoreError, fault.isPassing,
                    despiteCancellation || !Task.isCancelled && outage.limit == nil
                else { throw error }
                let now = ContinuousClock.now
                let last = end ?? now + patience
                guard now < min(last, outage.limit ?? last) else { throw error }
                end = last
                outage.begin(fault)
            }
            // So that processes do not all return to the server at once.
            let time = pause * Double.random(in: 0.5...1)
            if despiteCancellation {
                // A separate task is not cancelled with this one.
                await Task { await Self.wait(time) }.value
            } else {
                await Self.wait(time)
            }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Waits; a cancelled task does not wait, but tries once more.
    private static func wait(_ time: Duration) async {
        do {
            try await Task.sleep(for: time)
        } catch {
            return
        }
    }
}

/// Whether the server is away, as far as one part's calls know.
final class Outage: Sendable {
    private let isUnderWay = Atomic(false)
    private let begun: @Sendable (StoreError) -> Void
    private let ended: @Sendable () -> Void
    private let lastWait = Mutex<ContinuousClock.Instant?>(nil)

    /// When the last call stops waiting, once this process is to end.
    var limit: ContinuousClock.Instant? { lastWait.withLock(\.self) }

    /// Both are called once for each outage.
    init(
        begun: @escaping @Sendable (StoreError) -> Void = { _ in },
        ended: @escaping @Sendable () -> Void = {}
    ) {
        self.begun = begun
        self.ended = ended
    }

    func hurry(within grace: Duration) {
        lastWait.withLock { $0 = $0 ?? .now + grace }
    }

    func begin(_ fault: StoreError) {
        if !isUnderWay.exchange(true, ordering: .relaxed) { begun(fault) }
    }

    func end() {
        // All calls of a part come here, and usually nothing has to be written.
        guard isUnderWay.load(ordering: .relaxed) else { return }
        if isUnderWay.exchange(false, ordering: .relaxed) { ended() }
    }
}

extension StoreError {
    /// Whether the same call may succeed in a moment.
    ///
    /// So it is when the server is unreachable, starts, shuts down, or is a replica about to be
    /// promoted, and when others held a lock for too long.
    fileprivate var isPassing: Bool {
        switch self {
        case .connectionLost, .unreachable, .busy, .readOnly, .locked: true
        default: false
        }
    }
}
