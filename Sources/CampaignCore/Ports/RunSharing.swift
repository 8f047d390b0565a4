import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Lets several processes, on any hosts, work on one run at the same time.
///
/// Each process holds a lease, which expires by the store's clock unless it is renewed. A process
/// owns its claims until they have an outcome, or until its lease has ended and another process
/// takes them over. After that, the process can no longer write.
package protocol RunSharing: Sendable {
    /// The current time by the store's clock, which all hosts use.
    func time() async throws -> Date
    /// Joins a run; returns nil if it is not `running`, or while another process holds its lock.
    ///
    /// - Parameter lock: the campaign's lock, if the caller holds it; if nil, no process may hold
    /// the lock at present.
    func join(
        _ run: RunID, as process: WorkerProcess, holding lock: (any HeldCampaignLock)?
    ) async throws -> (any RunPart)?
    /// Returns workers in the order of joining, without processes whose lease has ended.
    func workers(on run: RunID) async throws -> [RunWorker]
    /// The `running` runs of a hub, earliest first, without rehearsals; they may have no worker.
    func openRuns(at hub: HubIdentity) async throws -> [RunRecord]
    /// Waits until a run may have started or resumed, the time has passed, or the task is
    /// cancelled.
    func waitForRuns(atMost time: Duration) async throws
    /// Makes all calls end within seconds, even those in tasks that are not cancelled, because this
    /// process is about to exit.
    func hurry()
}

package protocol RunPart: Sendable {
    /// The ledger for this part; its claims belong to the part, and it cannot write after the part
    /// is lost.
    ///
    /// ``SendingLedger/waiting(_:platform:after:through:limit:)`` takes and returns only deliveries
    /// that no process owns; ``SendingLedger/interrupted(_:platform:after:limit:)`` does not apply.
    /// Calls wait while the store is unavailable for a short time.
    var ledger: any SendingLedger { get }
    /// nil if no other process can take over the part.
    var lease: RunLease? { get }
    /// Renews the lease and exchanges reports; throws ``RunPartLost`` if other processes took over.
    func exchange(_ report: WorkerReport) async throws -> RunNews
    /// Settles the claims of processes that left or lost their lease. Their pushes may have been
    /// sent.
    ///
    /// Each push gets one more try and is marked as uncertain. Other processes are not notified,
    /// because they read the rows themselves. Afterwards, no process owns waiting deliveries.
    /// Returns how many claims were settled.
    func settleAbandoned(
        as state: DeliveryRecord.State, detail: String, at time: Date
    ) async throws -> Int
    /// Releases waiting deliveries of this part, so that any process can take them.
    func letGo(_ numbers: [Int], on platform: Platform) async throws
    /// Releases everything the part still owns; further calls do nothing.
    func leave() async throws
}

/// How long a process may send for a run; checked before each push.
///
/// The time is measured by the steady clock, which continues while a process is stopped or the
/// machine sleeps.
package final class RunLease: Sendable {
    private static let origin = ContinuousClock.now
    private let end: Atomic<Int64>

    package init(until end: ContinuousClock.Instant) {
        self.end = Atomic(Self.nanoseconds(end))
    }

    package var isHeld: Bool { Self.nanoseconds(.now) < end.load(ordering: .relaxed) }

    /// Extends the lease, or ends it if the instant has passed.
    package func extend(until end: ContinuousClock.Instant) {
        self.end.store(Self.nanoseconds(end), ordering: .relaxed)
    }

    private static func nanoseconds(_ instant: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (instant - origin).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

package struct WorkerProcess: Hashable, Sendable {
    package var host: String
    /// The process ID on that host.
    package var number: Int
    package var version: String

    package init(host: String, number: Int, version: String) {
        self.host = host
        self.number = number
        self.version = version
    }
}

/// A process's report about its part in a run; all figures cover the time since the process joined.
package struct WorkerReport: Hashable, Sendable {
    package var outcomes: OutcomeCounts
    package var requests: Int
    package var traffic: [Platform: PlatformTraffic]
    /// Requests per second; nil means unlimited, or that no rate is granted yet.
    package var rate: Double?
    /// Pages (``ClaimedPage/id``) that were completely recorded since the last report.
    package var closed: [Int]
    /// Why the run must pause in all processes; set when too many pushes failed.
    package var tooManyFailures: String?

    package init(
        outcomes: OutcomeCounts = OutcomeCounts(), requests: Int = 0,
        traffic: [Platform: PlatformTraffic] = [:], rate: Double? = nil, closed: [Int] = [],
        tooManyFailures: String? = nil
    ) {
        self.outcomes = outcomes
        self.requests = requests
        self.traffic = traffic
        self.rate = rate
        self.closed = closed
        self.tooManyFailures = tooManyFailures
    }
}

package struct PlatformTraffic: Codable, Hashable, Sendable {
    package var answers: Int
    /// The number of throttled answers (429 and 503).
    package var throttled: Int

    private enum CodingKeys: String, CodingKey {
        case answers
        case throttled = "complaints"
    }

    package init(answers: Int = 0, throttled: Int = 0) {
        self.answers = answers
        self.throttled = throttled
    }
}

package struct RunWorker: Hashable, Sendable {
    /// An ID that is unique within the run; a process that joins again gets a new ID.
    package var id: Int64
    package var process: WorkerProcess
    /// When the worker joined, by the store's clock like the other times.
    package var joined: Date
    package var seen: Date
    /// The last report, without ``WorkerReport/closed``.
    package var report: WorkerReport

    package init(
        id: Int64, process: WorkerProcess, joined: Date, seen: Date, report: WorkerReport
    ) {
        self.id = id
        self.process = process
        self.joined = joined
        self.seen = seen
        self.report = report
    }
}

package struct RunNews: Hashable, Sendable {
    package var state: RunState
    package var stopRequest: StopMode?
    /// The ``WorkerReport/tooManyFailures`` of any process.
    package var tooManyFailures: String?
    package var others: [RunWorker]
    /// This process's share of the run's rate, in requests per second; nil means unlimited.
    package var rate: Double?
    package var hasAbandoned: Bool
    /// Whether there are deliveries that no process owns and that wait for another try.
    package var hasFree: Bool
    /// Whether other processes own deliveries without an outcome.
    package var othersHaveWork: Bool
    /// Whether the store may lack writes that it confirmed, for example after a failover to a
    /// lagging replica.
    ///
    /// In that case, what the part remembers may be wrong, so leave the run and join again.
    package var mayLackWrites: Bool

    package init(
        state: RunState, stopRequest: StopMode? = nil, tooManyFailures: String? = nil,
        others: [RunWorker] = [], rate: Double? = nil, hasAbandoned: Bool = false,
        hasFree: Bool = false, othersHaveWork: Bool = false, mayLackWrites: Bool = false
    ) {
        self.state = state
        self.stopRequest = stopRequest
        self.tooManyFailures = tooManyFailures
        self.others = others
        self.rate = rate
        self.hasAbandoned = hasAbandoned
        self.hasFree = hasFree
        self.othersHaveWork = othersHaveWork
        self.mayLackWrites = mayLackWrites
    }
}

/// The lease has ended, and other processes took over the claims.
package struct RunPartLost: Error, Hashable, Sendable, CustomStringConvertible {
    package let run: RunID

    package init(_ run: RunID) {
        self.run = run
    }

    package var description: String {
        "Run \(run): this process could not reach the store for so long that other processes took over its part. Pushes that it "
            + "sent but did not record may go out again, with the same ids. A rerun is safe."
    }
}
