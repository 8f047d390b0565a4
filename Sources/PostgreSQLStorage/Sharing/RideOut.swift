import Storage
import Synchronization

/// Waits for a server that is away for a moment, and for a process that holds a lock.
///
/// A host that stands still in a transaction, or is cut off in one, holds up all others until the server ends its session. That must not
/// end their work.
struct RideOut: Sendable {
    /// How long to wait, from the first failure on.
    let patience: Duration
    /// What all calls of a part know of the server.
    let outage: Outage

    private static let firstPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(1)

    /// Makes a call, and makes it again while it fails for a reason that passes.
    ///
    /// - Parameters:
    ///   - despiteCancellation: whether a cancelled task waits, too.
    ///   - call: the call; it may be made again, even if it was done before and its answer was lost.
    /// - Throws: what `call` threw last.
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
                    despiteCancellation || !Task.isCancelled
                else { throw error }
                outage.begin(fault)
                let now = ContinuousClock.now
                let last = end ?? now + patience
                guard now < last else { throw error }
                end = last
            }
            // Processes that wait for the same server should not all come back at once.
            let time = pause * Double.random(in: 0.5...1)
            if despiteCancellation {
                // A task of its own is not cancelled together with this one.
                await Task { await Self.wait(time) }.value
            } else {
                await Self.wait(time)
            }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Waits; a task that is cancelled does not wait, but tries once more and throws that error.
    private static func wait(_ time: Duration) async {
        do {
            try await Task.sleep(for: time)
        } catch {
            return
        }
    }
}

/// Whether the server is away, as far as the calls of one part know.
final class Outage: Sendable {
    private let isUnderWay = Atomic(false)
    private let begun: @Sendable (StoreError) -> Void
    private let ended: @Sendable () -> Void

    /// - Parameters:
    ///   - begun: is told of each outage once.
    ///   - ended: is told when the outage is over.
    init(
        begun: @escaping @Sendable (StoreError) -> Void = { _ in },
        ended: @escaping @Sendable () -> Void = {}
    ) {
        self.begun = begun
        self.ended = ended
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
    /// That is so when the server cannot be reached, starts or shuts down, is a replica that is about to become the one for writes,
    /// or when others held a lock for too long.
    fileprivate var isPassing: Bool {
        switch self {
        case .connectionLost, .unreachable, .busy, .readOnly, .locked: true
        default: false
        }
    }
}
