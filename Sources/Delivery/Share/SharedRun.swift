import CampaignCore
import FoundationEssentials

/// An engine's side of a shared run: its part, its claims, and what it knows of the others.
///
/// Others may leave work at any time, so an idle engine waits until news say that nobody has any.
struct SharedRun: Sendable {
    private let part: any RunPart
    private let heartbeat: WorkerHeartbeat
    private var others = OtherWorkers()
    private var claims = OpenClaims()
    private var news: (last: RunNews, asked: Int)?
    /// Whether others may have left deliveries that may have gone out.
    private var mustSettle = true
    /// The number of the first news that can end the run; nil: this engine has work left.
    private var idle: Int?
    /// Pages that are out, if the run has a rate: requests a second, and pushes without a result.
    private var paces: [Int: (rate: Double, left: Int)] = [:]
    private var fault: String?
    private var dropped: [Platform: [Int]] = [:]

    init(_ part: any RunPart, _ heartbeat: WorkerHeartbeat) {
        self.part = part
        self.heartbeat = heartbeat
    }

    var othersCount: Int { others.count }
    /// News also say how fast pushes may go out.
    var isHeard: Bool { news != nil }
    var lease: RunLease { part.lease }

    // MARK: Hearing

    /// Returns what others did since the last news; `asked` is the heartbeat's number.
    mutating func hear(_ news: RunNews, asked: Int) -> OtherWorkers.Change {
        self.news = (news, asked)
        // At once: a page may wait for the ledger before it goes out, while beats continue.
        if let pace { heartbeat.allow(pace) }
        if news.hasAbandoned { mustSettle = true }
        return others.look(at: news.others)
    }

    /// Ends the lease, because others have taken over this part's claims.
    func lose() {
        part.lease.extend(until: .now - .seconds(1))
    }

    // MARK: What was claimed

    /// `claim` is nil for deliveries that had waited; `pages` has the number of pushes in each.
    mutating func sent(_ claim: Int?, in pages: [Int: Int]) {
        if !pages.isEmpty { idle = nil }
        if let claim { claims.add(claim, in: Array(pages.keys)) }
        guard let rate = news?.last.rate else { return }
        for (page, pushes) in pages { paces[page] = (rate, pushes) }
    }

    mutating func answered(_ count: Int, of page: Int) {
        paces[page]?.left -= count
    }

    mutating func closed(_ page: Int) {
        claims.close(page)
        paces[page] = nil
    }

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

    // MARK: Telling

    /// Reports to the others; call once all results are recorded.
    mutating func tell(
        outcomes: OutcomeCounts, requests: Int, traffic: [Platform: PlatformTraffic]
    ) {
        heartbeat.tell(
            WorkerReport(
                outcomes: outcomes, requests: requests, traffic: traffic, rate: pace,
                fault: fault),
            closed: claims.takeWritten())
    }

    /// Requests a second; a page keeps its rate while it has pushes left.
    private var pace: Double? {
        guard let rate = news?.last.rate else { return nil }
        let faster = paces.values.filter { $0.rate > rate }
        let most = faster.map(\.rate).max() ?? rate
        return min(most, rate + Double(faster.reduce(0) { $0 + $1.left }))
    }

    /// Reports throttling at once; `traffic` holds all answers so far.
    func slowDown(_ traffic: [Platform: PlatformTraffic]) {
        heartbeat.slowDown(traffic)
    }

    mutating func raise(_ fault: String) {
        self.fault = self.fault ?? fault
        heartbeat.raise(fault)
    }

    // MARK: What others leave

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

    mutating func adopted(_ claims: [DeliveryClaim]) {
        if !claims.isEmpty { idle = nil }
    }

    /// Whether the run is over; called when this engine has nothing left.
    ///
    /// The first call asks for news; later news come by themselves.
    ///
    /// - Parameter hasWaves: then unowned waiting deliveries do not count: they may be in closed
    ///   waves, and those of open waves were already read again.
    mutating func isOver(hasWaves: Bool) -> Bool {
        guard let idle else {
            self.idle = heartbeat.ask()
            return false
        }
        guard let (news, asked) = news, asked >= idle else { return false }
        return !news.hasAbandoned && !news.othersHaveWork && (!news.hasFree || hasWaves)
    }
}
