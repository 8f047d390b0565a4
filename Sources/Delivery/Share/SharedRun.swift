import CampaignCore
import FoundationEssentials

/// What an engine has of a run that others work on too: its part, what it has claimed, and what it knows of the others.
///
/// Others may leave something behind at any time, so that the engine has no end of its own: once it has nothing left to do, it
/// waits until news say that nobody has.
struct SharedRun: Sendable {
    private let part: any RunPart
    private let heartbeat: WorkerHeartbeat
    private var others = OtherWorkers()
    private var claims = OpenClaims()
    private var news: (last: RunNews, asked: Int)?
    /// Whether somebody may have left something that may have gone out.
    private var mustSettle = true
    /// The number that news must have to count, since this engine has nothing left to do; nil: it has.
    private var idle: Int?
    /// The pages that are out, where the run has a rate: requests a second, and how many pushes have no result.
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
    /// Whether the others were heard, and with them how fast pushes may go out.
    var isHeard: Bool { news != nil }
    /// Whether pushes may go out.
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
        // At once: what goes out may wait for the ledger first, and beats go on meanwhile.
        if let pace { heartbeat.allow(pace) }
        if news.hasAbandoned { mustSettle = true }
        return others.look(at: news.others)
    }

    /// Nothing may go out any more: others have taken over what this part had claimed.
    func lose() {
        part.lease.extend(until: .now - .seconds(1))
    }

    // MARK: What was claimed

    /// A claim went out.
    ///
    /// - Parameters:
    ///   - claim: ``ClaimedPage/id``; nil: what waited was claimed again.
    ///   - pages: in which, each with how many pushes.
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

    /// Retries were taken out of memory, which others may have now.
    mutating func drop(_ attempts: [Attempt], on platform: Platform) {
        dropped[platform, default: []] += attempts.flatMap { $0.claims.map(\.number) }
    }

    /// Leaves to others what was dropped, once it is written down.
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

    /// Requests a second that may begin: a page goes on at the rate that it was sent with, as long as it has pushes left.
    private var pace: Double? {
        guard let rate = news?.last.rate else { return nil }
        let faster = paces.values.filter { $0.rate > rate }
        let most = faster.map(\.rate).max() ?? rate
        return min(most, rate + Double(faster.reduce(0) { $0 + $1.left }))
    }

    /// The hub asked for patience, which the others hear at once.
    ///
    /// - Parameter traffic: all that has come back.
    func slowDown(_ traffic: [Platform: PlatformTraffic]) {
        heartbeat.slowDown(traffic)
    }

    /// Has all pause, at once.
    mutating func raise(_ fault: String) {
        self.fault = self.fault ?? fault
        heartbeat.raise(fault)
    }

    // MARK: What others leave

    /// Settles what others left that may have gone out, where there may be any.
    ///
    /// - Returns: how many deliveries there were.
    mutating func settle(
        as state: DeliveryRecord.State, detail: String, at time: Date
    ) async throws -> Int {
        guard mustSettle else { return 0 }
        mustSettle = false
        let count = try await part.settleAbandoned(as: state, detail: detail, at: time)
        if count > 0 { idle = nil }
        return count
    }

    /// What waited and was nobody's is this part's now.
    mutating func adopted(_ claims: [DeliveryClaim]) {
        if !claims.isEmpty { idle = nil }
    }

    /// Whether the run is over, asked when this engine has nothing left to do.
    ///
    /// The first time it asks for news; later ones come by themselves.
    ///
    /// - Parameter hasWaves: whether what waits and is nobody's may be of waves that are closed. What is of open ones was read again
    ///   when the news came that tell of it.
    mutating func isOver(hasWaves: Bool) -> Bool {
        guard let idle else {
            self.idle = heartbeat.ask()
            return false
        }
        guard let (news, asked) = news, asked >= idle else { return false }
        return !news.hasAbandoned && !news.othersHaveWork && (!news.hasFree || hasWaves)
    }
}
