import CampaignCore
import FoundationEssentials

/// An engine's part in a run, and what it knows about other processes.
///
/// Other processes may leave work at any time, so an idle engine waits for the news that no process
/// has any work left.
struct RunShare: Sendable {
    let part: any RunPart
    let timeline: Timeline
    let events = EventQueue<RunEvent>()
    /// nil if ``isAlone``; the engine itself then requests news.
    let heartbeat: WorkerHeartbeat?
    private var others = OtherWorkers()
    private var news: (last: RunNews, asked: Int)?
    private var nextAsking: Duration = .zero
    /// Whether other processes may have left deliveries that may have been sent.
    private var mustSettle = true
    /// The number of the first news that can end the run; nil if this engine has work left.
    private var idle: Int?
    private var tooManyFailures: String?
    private var dropped: [Platform: [Int]] = [:]

    init(_ part: any RunPart, _ timeline: Timeline) {
        self.part = part
        self.timeline = timeline
        heartbeat = part.lease.map { [events] _ in WorkerHeartbeat(part, timeline, events) }
    }

    /// Whether no other process can work on the run.
    var isAlone: Bool { part.lease == nil }
    var othersCount: Int { others.count }
    /// Whether any news has arrived; news also contains the allowed rate.
    var hasNews: Bool { news != nil }
    /// Whether claimed pushes may be sent.
    var isHeld: Bool { part.lease?.isHeld != false }
    var rate: Double? { news?.last.rate }

    // MARK: Receiving

    /// Requests news at intervals, unless the heartbeat does.
    mutating func askAlone() async throws -> RunNews? {
        guard isAlone, timeline.now >= nextAsking else { return nil }
        nextAsking = timeline.now + WorkerHeartbeat.interval
        return try await part.exchange(WorkerReport())
    }

    /// Returns what others did since the last news; `asked` is the heartbeat's number.
    mutating func hear(_ news: RunNews, asked: Int, out: InFlight) -> WorkerReport {
        self.news = (news, asked)
        // This is done immediately, because a page may wait for the ledger before it is sent, while
        // heartbeats continue.
        if let rate { heartbeat?.allow(out.pace(at: rate)) }
        if news.hasAbandoned { mustSettle = true }
        return others.update(with: news.others)
    }

    // MARK: Reporting

    /// Reports to the others; call when all results are recorded.
    func tell(_ journal: OutcomeJournal, _ scheduler: PageScheduler, _ out: inout InFlight) {
        guard let heartbeat else { return }
        heartbeat.tell(
            WorkerReport(
                outcomes: journal.ownOutcomes, requests: journal.ownRequests,
                traffic: scheduler.traffic, rate: rate.map(out.pace),
                tooManyFailures: tooManyFailures),
            closed: out.takeClosedClaims())
    }

    mutating func raise(_ tooManyFailures: String) {
        self.tooManyFailures = self.tooManyFailures ?? tooManyFailures
        heartbeat?.raise(tooManyFailures)
    }

    // MARK: Remaining work

    /// Settles deliveries of others that may have been sent; returns how many.
    mutating func settle(
        as state: DeliveryRecord.State, detail: String, at time: Date
    ) async throws -> Int {
        guard mustSettle else { return 0 }
        mustSettle = false
        let count = try await part.settleAbandoned(as: state, detail: detail, at: time)
        if count > 0 { idle = nil }
        return count
    }

    /// Records that this engine has work again.
    mutating func noteWork() { idle = nil }

    mutating func drop(_ attempts: [Attempt], on platform: Platform) {
        dropped[platform, default: []] += attempts.flatMap { $0.claims.map(\.number) }
    }

    /// Releases dropped retries to other processes; call when their results are recorded.
    mutating func letGo() async throws {
        while let (platform, numbers) = dropped.first {
            try await part.letGo(numbers, on: platform)
            dropped[platform] = nil
        }
    }

    /// Whether the run is over; called when this engine has nothing left.
    ///
    /// The first call requests news; later news arrives by itself.
    ///
    /// - Parameter hasSendTimes: if true, waiting deliveries that no process owns are ignored: they
    ///   may be in closed waves, and those in open waves have already been read again.
    mutating func isOver(hasSendTimes: Bool) -> Bool {
        guard let heartbeat else { return true }
        guard let idle else {
            self.idle = heartbeat.ask()
            return false
        }
        guard let (news, asked) = news, asked >= idle else { return false }
        return !news.hasAbandoned && !news.othersHaveWork && (!news.hasFree || hasSendTimes)
    }
}
