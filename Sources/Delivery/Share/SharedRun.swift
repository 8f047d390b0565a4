import CampaignCore
import FoundationEssentials

/// An engine's side of a run that others work on too: its part, what it has claimed, and what it knows of the others.
///
/// Others may leave something behind at any time. So an engine that has nothing left to do waits until news say that nobody has.
struct SharedRun: Sendable {
    private let part: any RunPart
    private let heartbeat: WorkerHeartbeat
    private var others = OtherWorkers()
    private var claims = OpenClaims()
    private var news: (last: RunNews, asked: Int)?
    /// Whether another process may have left deliveries that may have gone out.
    private var mustSettle = true
    /// The number from which on news can say that the run is over; nil: this engine has something left to do.
    private var idle: Int?
    /// The pages that are out, of a run with a rate: their requests a second, and how many of their pushes have no result.
    private var paces: [Int: (rate: Double, left: Int)] = [:]
    /// Why all have to pause.
    private var fault: String?
    private var dropped: [Platform: [Int]] = [:]

    init(_ part: any RunPart, _ heartbeat: WorkerHeartbeat) {
        self.part = part
        self.heartbeat = heartbeat
    }

    /// How many other processes work on the run.
    var othersCount: Int { others.count }
    /// Whether news have come: they also say how fast pushes may go out.
    var isHeard: Bool { news != nil }
    /// Says until when pushes may go out.
    var lease: RunLease { part.lease }

    // MARK: Hearing

    /// Takes news.
    ///
    /// - Parameters:
    ///   - news: the news.
    ///   - asked: the number with which the heartbeat asked for them.
    /// - Returns: what others have done since the last ones.
    mutating func hear(_ news: RunNews, asked: Int) -> OtherWorkers.Change {
        self.news = (news, asked)
        // At once: a page may wait for the ledger before it goes out, and beats go on meanwhile.
        if let pace { heartbeat.allow(pace) }
        if news.hasAbandoned { mustSettle = true }
        return others.look(at: news.others)
    }

    /// Ends the lease, so that nothing more goes out: others have taken over what this part had claimed.
    func lose() {
        part.lease.extend(until: .now - .seconds(1))
    }

    // MARK: What was claimed

    /// A claim went out.
    ///
    /// - Parameters:
    ///   - claim: ``ClaimedPage/id``; nil: the deliveries had waited, and were claimed again.
    ///   - pages: the pages in which it went out, and the number of pushes in each.
    mutating func sent(_ claim: Int?, in pages: [Int: Int]) {
        if !pages.isEmpty { idle = nil }
        if let claim { claims.add(claim, in: Array(pages.keys)) }
        guard let rate = news?.last.rate else { return }
        for (page, pushes) in pages { paces[page] = (rate, pushes) }
    }

    /// Pushes of a page have their results.
    mutating func answered(_ count: Int, of page: Int) {
        paces[page]?.left -= count
    }

    /// All pushes of a page have their results.
    mutating func closed(_ page: Int) {
        claims.close(page)
        paces[page] = nil
    }

    /// Retries were taken out of memory; others may have them now.
    mutating func drop(_ attempts: [Attempt], on platform: Platform) {
        dropped[platform, default: []] += attempts.flatMap { $0.claims.map(\.number) }
    }

    /// Leaves the dropped retries to others, once their results are written down.
    mutating func letGo() async throws {
        while let (platform, numbers) = dropped.first {
            try await part.letGo(numbers, on: platform)
            dropped[platform] = nil
        }
    }

    // MARK: Telling

    /// Tells the others where this process stands; all results that came are written down.
    mutating func tell(
        outcomes: OutcomeCounts, requests: Int, traffic: [Platform: PlatformTraffic]
    ) {
        heartbeat.tell(
            WorkerReport(
                outcomes: outcomes, requests: requests, traffic: traffic, rate: pace,
                fault: fault),
            closed: claims.takeWritten())
    }

    /// How many requests may begin each second: a page keeps the rate that it was sent with, as long as it has pushes left.
    private var pace: Double? {
        guard let rate = news?.last.rate else { return nil }
        let faster = paces.values.filter { $0.rate > rate }
        let most = faster.map(\.rate).max() ?? rate
        return min(most, rate + Double(faster.reduce(0) { $0 + $1.left }))
    }

    /// Tells the others at once that the hub asked for patience.
    ///
    /// - Parameter traffic: all answers so far.
    func slowDown(_ traffic: [Platform: PlatformTraffic]) {
        heartbeat.slowDown(traffic)
    }

    /// Has all processes pause at once.
    mutating func raise(_ fault: String) {
        self.fault = self.fault ?? fault
        heartbeat.raise(fault)
    }

    // MARK: What others leave

    /// Settles deliveries that other processes left and that may have gone out.
    ///
    /// - Returns: how many were settled.
    mutating func settle(
        as state: DeliveryRecord.State, detail: String, at time: Date
    ) async throws -> Int {
        guard mustSettle else { return 0 }
        mustSettle = false
        let count = try await part.settleAbandoned(as: state, detail: detail, at: time)
        if count > 0 { idle = nil }
        return count
    }

    /// Deliveries that waited and belonged to nobody are this part's now.
    mutating func adopted(_ claims: [DeliveryClaim]) {
        if !claims.isEmpty { idle = nil }
    }

    /// Whether the run is over, asked when this engine has nothing left to do.
    ///
    /// The first call asks for news; later news come by themselves.
    ///
    /// - Parameter hasWaves: whether the run has waves. Then deliveries that wait and belong to nobody do not count, since they may
    ///   belong to closed waves; those of open waves were read again when the news of them came.
    mutating func isOver(hasWaves: Bool) -> Bool {
        guard let idle else {
            self.idle = heartbeat.ask()
            return false
        }
        guard let (news, asked) = news, asked >= idle else { return false }
        return !news.hasAbandoned && !news.othersHaveWork && (!news.hasFree || hasWaves)
    }
}
