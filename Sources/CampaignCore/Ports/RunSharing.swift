import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A ledger in which several processes, on whatever hosts, work on one run at once.
///
/// Storage implements it for stores on a server. Whoever takes part in a run has a lease, which ends by the store's own clock unless it
/// is renewed. What a process claims is its own until it has an outcome, or until the lease has ended and another process has taken it
/// over; from then on the first one can write nothing of the run any more.
package protocol RunSharing: Sendable {
    /// The time of day by the store's clock: whatever hosts have to agree on goes by it.
    func time() async throws -> Date
    /// Takes part in a run that is `running`.
    ///
    /// - Parameters:
    ///   - run: which run.
    ///   - process: who.
    ///   - lock: the campaign's, where the caller has it; without it, nobody else may have it at this moment.
    /// - Returns: the part; nil when the run is not `running`, or when somebody who has the campaign's lock decides about it now.
    func join(
        _ run: RunID, as process: WorkerProcess, holding lock: (any HeldCampaignLock)?
    ) async throws -> (any RunPart)?
    /// Who works on a run, the first to join first; those whose lease has ended are left out.
    func workers(on run: RunID) async throws -> [RunWorker]
    /// The runs through a hub that are `running`, with or without anybody who works on them, the earliest first; rehearsals are left out.
    func openRuns(at hub: HubIdentity) async throws -> [RunRecord]
    /// Waits until a run may have begun or gone on, or the time has passed, or the task is cancelled.
    ///
    /// - Throws: when the store cannot be asked.
    func waitForRuns(atMost time: Duration) async throws
}

/// A process's part in a run.
package protocol RunPart: Sendable {
    /// The same ledger for this part: what it claims is the part's, and it writes nothing of the run once the part is lost.
    ///
    /// Of the deliveries that wait for another try, ``RunLedger/waiting(_:platform:after:through:limit:)`` takes those that are nobody's, and
    /// returns them alone; ``RunLedger/interrupted(_:platform:after:limit:)`` is not for it. While the store is away for a moment, as when
    /// its server restarts, calls wait for it.
    var ledger: any RunLedger { get }
    /// Until when pushes may go out.
    var lease: RunLease { get }
    /// Renews the lease, tells what others have to know, and asks for the same.
    ///
    /// - Throws: ``RunPartLost``; what the store throws.
    func exchange(_ report: WorkerReport) async throws -> RunNews
    /// Settles what is claimed by processes whose lease has ended or who have left: it may have gone out.
    ///
    /// Each delivery counts one more try, and is uncertain. Other processes are not told of them: they read the rows.
    ///
    /// - Parameters:
    ///   - state: what becomes of them; those that wait are nobody's then.
    ///   - detail: as ``DeliveryRecord/detail``.
    ///   - time: the current time.
    /// - Returns: how many deliveries there were.
    func settleAbandoned(
        as state: DeliveryRecord.State, detail: String, at time: Date
    ) async throws -> Int
    /// Leaves deliveries of this part that wait for another try to whoever reads them next.
    func letGo(_ numbers: [Int], on platform: Platform) async throws
    /// Ends the part: whatever it still has is anybody's from now on. Further calls do nothing.
    func leave() async throws
}

/// Until when a process may send for a run; it is looked at before each push, also by a process that stood still for hours.
///
/// It goes by the machine's steady clock, which goes on while a process is stopped or the machine sleeps.
package final class RunLease: Sendable {
    private static let origin = ContinuousClock.now
    private let end: Atomic<Int64>

    /// - Parameter end: when it ends unless it is extended.
    package init(until end: ContinuousClock.Instant) {
        self.end = Atomic(Self.nanoseconds(end))
    }

    /// Whether pushes may go out now.
    package var isHeld: Bool {
        Self.nanoseconds(.now) < end.load(ordering: .relaxed)
    }

    /// Extends it, or ends it with an instant that has passed.
    package func extend(until end: ContinuousClock.Instant) {
        self.end.store(Self.nanoseconds(end), ordering: .relaxed)
    }

    private static func nanoseconds(_ instant: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (instant - origin).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

/// A process that takes part in runs, as people find it.
package struct WorkerProcess: Hashable, Sendable {
    /// The host's name.
    package var host: String
    /// The process's number there.
    package var number: Int
    /// The version of hubsend.
    package var version: String

    package init(host: String, number: Int, version: String) {
        self.host = host
        self.number = number
        self.version = version
    }
}

/// What a process tells of its part in a run; all figures count from when it joined.
package struct WorkerReport: Hashable, Sendable {
    /// How deliveries ended that it claimed.
    package var outcomes: OutcomeCounts
    /// Hub requests.
    package var requests: Int
    /// What came back from the hub, by platform.
    package var traffic: [Platform: PlatformTraffic]
    /// Requests a second that it keeps to; nil: no limit, or none granted yet.
    package var rate: Double?
    /// Pages (``ClaimedPage/id``) all of whose deliveries are written down, since the last report.
    package var closed: [Int]
    /// Why the run must pause for all, as ``FailureLimit`` found; nil: it need not.
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

/// Answers of the hub on one platform.
package struct PlatformTraffic: Hashable, Sendable {
    /// All of them.
    package var answers: Int
    /// Those that asked for patience.
    package var complaints: Int

    package init(answers: Int = 0, complaints: Int = 0) {
        self.answers = answers
        self.complaints = complaints
    }
}

/// A process that works on a run, as its last report has it.
package struct RunWorker: Hashable, Sendable {
    /// Tells it from others of the run; the same process has another one when it joins anew.
    package var id: Int64
    package var process: WorkerProcess
    /// By the store's clock, as are the others.
    package var joined: Date
    /// When it was last heard of.
    package var seen: Date
    /// ``WorkerReport/closed`` is empty.
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

/// What a process hears of a run that it works on.
package struct RunNews: Hashable, Sendable {
    package var state: RunState
    /// What was asked for with ``RunLedger/requestStop(_:_:)``.
    package var stopRequest: StopMode?
    /// ``WorkerReport/fault`` of any of them; nil: no process tells of a fault.
    package var fault: String?
    /// The others who work on it.
    package var others: [RunWorker]
    /// Requests a second that this process may make; nil: any number.
    ///
    /// Those of all together are never more than the run's rate.
    package var rate: Double?
    /// Whether there is something to settle with ``RunPart/settleAbandoned(as:detail:at:)``.
    package var hasAbandoned: Bool
    /// Whether deliveries wait for another try that are nobody's.
    package var hasFree: Bool
    /// Whether others have claimed, or let wait, what has no outcome yet.
    package var othersHaveWork: Bool
    /// Whether the store may lack what it had confirmed, as after a failover to a replica that was behind.
    ///
    /// What the part has in mind is then not what stands there: it is to be left, and joined anew.
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

/// A process's lease has ended, and others have taken over what it had claimed.
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
