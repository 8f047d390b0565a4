import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A ledger that lets several processes, on any hosts, work on one run at once.
///
/// Each holds a lease that ends by the store's clock unless renewed. Its claims are its own until
/// they have an outcome, or until its lease ended and another process took them over. After that it
/// can write nothing.
package protocol RunSharing: Sendable {
    /// The store's clock, which all hosts go by.
    func time() async throws -> Date
    /// Joins a run; nil if it is not `running` or another holder of the lock is deciding about it.
    ///
    /// - Parameter lock: the campaign's, if the caller has it; otherwise nobody else may have it
    ///   now.
    func join(
        _ run: RunID, as process: WorkerProcess, holding lock: (any HeldCampaignLock)?
    ) async throws -> (any RunPart)?
    /// First to join first, without those whose lease has ended.
    func workers(on run: RunID) async throws -> [RunWorker]
    /// `running` runs through a hub, even without workers, earliest first, without rehearsals.
    func openRuns(at hub: HubIdentity) async throws -> [RunRecord]
    /// Waits until a run may have begun or resumed, the time has passed, or the task is cancelled.
    func waitForRuns(atMost time: Duration) async throws
    /// Has every call end within seconds from now on, also of tasks that are not cancelled, since
    /// this process is to end.
    func hurry()
}

package protocol RunPart: Sendable {
    /// The ledger for this part: its claims are the part's, and it cannot write once the part is
    /// lost.
    ///
    /// ``SendingLedger/waiting(_:platform:after:through:limit:)`` takes and returns only unowned
    /// deliveries; ``SendingLedger/interrupted(_:platform:after:limit:)`` does not apply. Calls
    /// wait while the store is briefly away.
    var ledger: any SendingLedger { get }
    /// nil: nobody else can take the part over.
    var lease: RunLease? { get }
    /// Renews the lease and exchanges news; throws ``RunPartLost``.
    func exchange(_ report: WorkerReport) async throws -> RunNews
    /// Settles claims of processes that left or lost their lease: they may have gone out.
    ///
    /// Each counts one more try and is uncertain. Other processes are not told: they read the rows.
    /// Waiting deliveries then belong to nobody. Returns how many were settled.
    func settleAbandoned(
        as state: DeliveryRecord.State, detail: String, at time: Date
    ) async throws -> Int
    /// Leaves this part's waiting deliveries to the next reader.
    func letGo(_ numbers: [Int], on platform: Platform) async throws
    /// Gives up everything the part still has; further calls do nothing.
    func leave() async throws
}

/// Until when a process may send for a run; checked before each push.
///
/// Uses the steady clock, which continues while a process is stopped or the machine sleeps.
package final class RunLease: Sendable {
    private static let origin = ContinuousClock.now
    private let end: Atomic<Int64>

    package init(until end: ContinuousClock.Instant) {
        self.end = Atomic(Self.nanoseconds(end))
    }

    package var isHeld: Bool { Self.nanoseconds(.now) < end.load(ordering: .relaxed) }

    /// Extends it, or ends it if the instant has passed.
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
    /// The process id on that host.
    package var number: Int
    package var version: String

    package init(host: String, number: Int, version: String) {
        self.host = host
        self.number = number
        self.version = version
    }
}

/// A process's report on its part in a run; all figures count from when it joined.
package struct WorkerReport: Hashable, Sendable {
    package var outcomes: OutcomeCounts
    package var requests: Int
    package var traffic: [Platform: PlatformTraffic]
    /// Requests a second; nil: unlimited, or none granted yet.
    package var rate: Double?
    /// Pages (``ClaimedPage/id``) completely recorded since the last report.
    package var closed: [Int]
    /// Why the run must pause everywhere, once too many pushes failed.
    package var fault: String?

    package init(
        outcomes: OutcomeCounts = OutcomeCounts(), requests: Int = 0,
        traffic: [Platform: PlatformTraffic] = [:], rate: Double? = nil, closed: [Int] = [],
        fault: String? = nil
    ) {
        self.outcomes = outcomes
        self.requests = requests
        self.traffic = traffic
        self.rate = rate
        self.closed = closed
        self.fault = fault
    }
}

package struct PlatformTraffic: Codable, Hashable, Sendable {
    package var answers: Int
    /// Answers that asked to slow down.
    package var complaints: Int

    package init(answers: Int = 0, complaints: Int = 0) {
        self.answers = answers
        self.complaints = complaints
    }
}

package struct RunWorker: Hashable, Sendable {
    /// Unique in the run; a process that joins again gets a new one.
    package var id: Int64
    package var process: WorkerProcess
    /// By the store's clock, like the other times.
    package var joined: Date
    package var seen: Date
    /// Without ``WorkerReport/closed``.
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
    /// ``WorkerReport/fault`` of any process.
    package var fault: String?
    package var others: [RunWorker]
    /// This process's share of the run's rate, in requests a second; nil: unlimited.
    package var rate: Double?
    package var hasAbandoned: Bool
    /// Whether unowned deliveries wait for another try.
    package var hasFree: Bool
    /// Whether others hold deliveries that have no outcome yet.
    package var othersHaveWork: Bool
    /// Whether the store may lack writes it confirmed, as after failover to a lagging replica.
    ///
    /// What the part remembers may then be wrong: leave and join again.
    package var mayLackWrites: Bool

    package init(
        state: RunState, stopRequest: StopMode? = nil, fault: String? = nil,
        others: [RunWorker] = [], rate: Double? = nil, hasAbandoned: Bool = false,
        hasFree: Bool = false, othersHaveWork: Bool = false, mayLackWrites: Bool = false
    ) {
        self.state = state
        self.stopRequest = stopRequest
        self.fault = fault
        self.others = others
        self.rate = rate
        self.hasAbandoned = hasAbandoned
        self.hasFree = hasFree
        self.othersHaveWork = othersHaveWork
        self.mayLackWrites = mayLackWrites
    }
}

/// The lease has ended, and others took over the claims.
package struct RunPartLost: Error, Hashable, Sendable, CustomStringConvertible {
    package let run: RunID

    package init(_ run: RunID) {
        self.run = run
    }

    package var description: String {
        "Run \(run): this process did not reach the store for so long that others have taken over its part; what it had sent "
            + "and not written down may go out again, with the same ids. A rerun is safe."
    }
}
