import CampaignCore
import FoundationEssentials

/// An engine's share of a run: its part, and what it knows of the others.
///
/// Others may leave work at any time, so an idle engine waits until news say that nobody has any.
struct RunShare: Sendable {
    let part: any RunPart
    let timeline: Timeline
    let events = EventQueue<RunEvent>()
    /// nil: ``isAlone``, and the engine itself asks for news.
    let heartbeat: WorkerHeartbeat?
    private var others = OtherWorkers()
    private var news: (last: RunNews, asked: Int)?
    private var nextAsking: Duration = .zero
    /// Whether others may have left deliveries that may have gone out.
    private var mustSettle = true
    /// The number of the first news that can end the run; nil: this engine has work left.
    private var idle: Int?
    private var fault: String?
    private var dropped: [Platform: [Int]] = [:]

    init(_ part: any RunPart, _ timeline: Timeline) {
        self.part = part
        self.timeline = timeline
        heartbeat = part.lease.map { [events] _ in WorkerHeartbeat(part, timeline, events) }
    }

    /// Whether nobody else can work on the run.
    var isAlone: Bool { part.lease == nil }
    var othersCount: Int { others.count }
    /// News also say how fast pushes may go out.
    var isHeard: Bool { news != nil }
    /// Whether what is claimed may go out.
    var isHeld: Bool { part.lease?.isHeld != false }
    var rate: Double? { news?.last.rate }

    // MARK: Hearing

    /// Asks for news now and then, unless the heartbeat does.
    mutating func askAlone() async throws -> RunNews? {
        guard isAlone, timeline.now >= nextAsking else { return nil }
        nextAsking = timeline.now + WorkerHeartbeat.interval
        return try await part.exchange(WorkerReport())
    }

    /// Returns what others did since the last news; `asked` is the heartbeat's number.
    mutating func hear(_ news: RunNews, asked: Int, out: InFlight) -> WorkerReport {
        self.news = (news, asked)
        // At once: a page may wait for the ledger before it goes out, while beats continue.
        if let rate { heartbeat?.allow(out.pace(at: rate)) }
        if news.hasAbandoned { mustSettle = true }
        return others.look(at: news.others)
    }

    // MARK: Telling

    /// Reports to the others; call once all results are recorded.
    func tell(_ journal: OutcomeJournal, _ scheduler: PageScheduler, _ out: inout InFlight) {
        guard let heartbeat else { return }
        heartbeat.tell(
            WorkerReport(
                outcomes: journal.ownOutcomes, requests: journal.ownRequests,
                traffic: scheduler.traffic, rate: rate.map(out.pace), fault: fault),
            closed: out.takeClosedClaims())
    }

    mutating func raise(_ fault: String) {
        self.fault = self.fault ?? fault
        heartbeat?.raise(fault)
    }

    // MARK: What is left

    /// Settles deliveries of others that may have gone out; returns how many.
    mutating func settle(
        as state: DeliveryRecord.State, detail: String, at time: Date
    ) async throws -> Int {
        guard mustSettle else { return 0 }
        mustSettle = false
        let count = try await part.settleAbandoned(as: state, detail: detail, at: time)
        if count > 0 { idle = nil }
        return count
    }

    /// Notes that this engine has work.
    mutating func works() { idle = nil }

    mutating func drop(_ attempts: [Attempt], on platform: Platform) {
        dropped[platform, default: []] += attempts.flatMap { $0.claims.map(\.number) }
    }

    /// Leaves dropped retries to others, once their results are recorded.
    mutating func letGo() async throws {
        while let (platform, numbers) = dropped.first {
            try await part.letGo(numbers, on: platform)
            dropped[platform] = nil
        }
    }

    /// Whether the run is over; called when this engine has nothing left.
    ///
    /// The first call asks for news; later news come by themselves.
    ///
    /// - Parameter hasTurns: then unowned waiting deliveries do not count: they may be in closed
    ///   waves, and those of open waves were already read again.
    mutating func isOver(hasTurns: Bool) -> Bool {
        guard let heartbeat else { return true }
        guard let idle else {
            self.idle = heartbeat.ask()
            return false
        }
        guard let (news, asked) = news, asked >= idle else { return false }
        return !news.hasAbandoned && !news.othersHaveWork && (!news.hasFree || hasTurns)
    }
}
