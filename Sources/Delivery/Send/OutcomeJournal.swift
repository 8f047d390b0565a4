import CampaignCore
import FoundationEssentials

/// Counts outcomes immediately and holds them until they are recorded.
struct OutcomeJournal: Sendable {
    /// This is small enough that other users of the store do not have to wait.
    static let batchLimit = 5_000

    /// Outcomes of all processes; deliveries without an outcome are counted as `not_attempted`.
    private(set) var outcomes: OutcomeCounts
    /// Requests of all processes.
    private(set) var requests: Int
    private(set) var ownOutcomes = OutcomeCounts()
    private(set) var ownRequests = 0
    /// The outcomes that other processes report; some may already have been in ``outcomes`` at the
    /// start.
    var endedElsewhere = OutcomeCounts()
    private let limit: FailureLimit?
    private var unwritten: [DeliveryRecord] = []
    private var unwrittenRequests = 0

    init(outcomes: OutcomeCounts, requests: Int, limit: FailureLimit? = nil) {
        self.outcomes = outcomes
        self.requests = requests
        self.limit = limit
    }

    /// The reason to stop, if too many deliveries across all processes have failed since the work
    /// started.
    var tooManyFailures: String? {
        guard let limit else { return nil }
        var ended = endedElsewhere
        ended.add(ownOutcomes)
        return limit.tooManyFailures(in: ended)
    }

    var unwrittenCount: Int { unwritten.count }

    /// What to record next, in one transaction; `requests` is the number of requests that no
    /// earlier batch counted.
    var nextBatch: (records: [DeliveryRecord], requests: Int)? {
        guard !unwritten.isEmpty || unwrittenRequests > 0 else { return nil }
        // Usually, everything fits and the array is not copied.
        let records =
            unwritten.count <= Self.batchLimit
            ? unwritten : Array(unwritten.prefix(Self.batchLimit))
        return (records, unwrittenRequests)
    }

    mutating func wrote(_ batch: (records: [DeliveryRecord], requests: Int)) {
        unwritten.removeFirst(batch.records.count)
        unwrittenRequests -= batch.requests
    }

    mutating func note(
        _ verdict: Verdict, on platform: Platform, detail: String, hubMessage: String? = nil,
        at time: Date
    ) {
        let attempt = verdict.attempt
        let claims = attempt.claims.span
        for index in claims.indices {
            let state = verdict.state(of: claims[index])
            unwritten.append(
                DeliveryRecord(
                    number: claims[index].number, platform: platform, state: state,
                    attempts: claims[index].attempts + attempt.tries,
                    isUncertain: claims[index].isUncertain || attempt.isUncertain, detail: detail,
                    hubMessage: hubMessage, recordedAt: time))
            guard case .ended(let outcome) = state else { continue }
            ownOutcomes[outcome] += 1
            outcomes[outcome] += 1
            outcomes[.notAttempted] = max(0, outcomes[.notAttempted] - 1)
        }
    }

    /// Counts deliveries that ended in other processes, but never more than are open here.
    ///
    /// Other processes report a delivery shortly after they record it, so it may already be
    /// counted.
    mutating func noteOthers(_ ended: OutcomeCounts, requests count: Int = 0) {
        var left = outcomes[.notAttempted]
        for outcome in Outcome.final {
            let added = min(ended[outcome], left)
            outcomes[outcome] += added
            left -= added
        }
        outcomes[.notAttempted] = left
        requests += count
    }

    mutating func noteRequests(_ count: Int) {
        requests += count
        ownRequests += count
        unwrittenRequests += count
    }

    mutating func noteSkipped(_ count: Int) {
        ownOutcomes[.skipped] += count
        outcomes[.skipped] += count
        outcomes[.notAttempted] = max(0, outcomes[.notAttempted] - count)
    }
}

extension FailureLimit {
    /// The reason to stop; nil if the limit is not reached, or if too few deliveries have ended.
    ///
    /// Skipped deliveries are not counted.
    func tooManyFailures(in outcomes: OutcomeCounts) -> String? {
        let failed = outcomes.failures
        let ended = Outcome.sent.reduce(0) { $0 + outcomes[$1] }
        guard ended >= minimum, failed * 100 >= percent * ended else { return nil }
        return
            "\(Figures.count(failed)) of the \(Figures.count(ended)) deliveries that ended; `stop_when` allows less than "
            + "\(percent)%"
    }
}
