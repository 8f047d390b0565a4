import CampaignCore
import FoundationEssentials

/// What became of a run's deliveries: the journal counts it at once, and keeps it until it is written down.
struct OutcomeJournal: Sendable {
    /// What goes into one transaction.
    struct Batch: Hashable, Sendable {
        let records: [DeliveryRecord]
        /// Hub requests that no batch has counted yet.
        let requests: Int
    }

    /// Transactions stay this small, so that others who use the store do not wait.
    static let batchLimit = 5_000

    /// Outcomes to date, those of other processes included; a delivery without one counts as `not_attempted`.
    private(set) var outcomes: OutcomeCounts
    /// Hub requests to date, those of other processes included.
    private(set) var requests: Int
    /// The part of ``outcomes`` that other processes had.
    private var othersOutcomes: OutcomeCounts
    /// The part of ``requests`` that other processes made.
    private var othersRequests: Int
    private var unwritten: [DeliveryRecord] = []
    private var unwrittenRequests = 0

    /// - Parameters:
    ///   - outcomes: the outcomes that stand in the ledger.
    ///   - requests: the hub requests that the ledger has counted.
    init(outcomes: OutcomeCounts, requests: Int) {
        self.outcomes = outcomes
        self.requests = requests
        self.othersOutcomes = outcomes
        self.othersRequests = requests
    }

    /// How deliveries ended in this process.
    var ownOutcomes: OutcomeCounts {
        var own = OutcomeCounts()
        for outcome in Outcome.allCases where outcome != .notAttempted {
            own[outcome] = outcomes[outcome] - othersOutcomes[outcome]
        }
        return own
    }

    /// Hub requests of this process.
    var ownRequests: Int { requests - othersRequests }

    /// How many deliveries wait to be written down.
    var unwrittenCount: Int { unwritten.count }

    /// What is to be written down next; nil when everything is written down.
    var nextBatch: Batch? {
        guard !unwritten.isEmpty || unwrittenRequests > 0 else { return nil }
        // Usually everything fits, and then nothing is copied.
        let records =
            unwritten.count <= Self.batchLimit
            ? unwritten : Array(unwritten.prefix(Self.batchLimit))
        return Batch(records: records, requests: unwrittenRequests)
    }

    /// The batch that ``nextBatch`` gave is durable.
    mutating func wrote(_ batch: Batch) {
        if batch.records.count == unwritten.count {
            unwritten = []
        } else {
            unwritten.removeFirst(batch.records.count)
        }
        unwrittenRequests -= batch.requests
    }

    /// Notes what became of the deliveries of a push.
    ///
    /// - Parameters:
    ///   - verdict: what its result comes to.
    ///   - platform: where it went.
    ///   - detail: status and reason, as the sender says them.
    ///   - hubMessage: the hub's message id; nil: it gave none.
    ///   - time: the current time.
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
            outcomes[outcome] += 1
            outcomes[.notAttempted] = max(0, outcomes[.notAttempted] - 1)
        }
    }

    /// Counts deliveries that ended in other processes, but no more than have no outcome here.
    ///
    /// The others tell of a delivery a little after it stands in the ledger, so that it may be counted here already.
    mutating func noteOthers(_ ended: OutcomeCounts, requests count: Int = 0) {
        var left = outcomes[.notAttempted]
        for outcome in Outcome.allCases where outcome != .notAttempted {
            let added = min(ended[outcome], left)
            outcomes[outcome] += added
            othersOutcomes[outcome] += added
            left -= added
        }
        outcomes[.notAttempted] = left
        requests += count
        othersRequests += count
    }

    /// Counts hub requests that ended.
    mutating func noteRequests(_ count: Int) {
        requests += count
        unwrittenRequests += count
    }

    /// Counts deliveries that the ledger itself has skipped.
    mutating func noteSkipped(_ count: Int) {
        outcomes[.skipped] += count
        outcomes[.notAttempted] = max(0, outcomes[.notAttempted] - count)
    }
}
