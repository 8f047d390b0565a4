import CampaignCore
import FoundationEssentials

/// Counts outcomes at once, and keeps them until they are recorded.
struct OutcomeJournal: Sendable {
    /// One transaction.
    struct Batch: Hashable, Sendable {
        let records: [DeliveryRecord]
        /// Not counted by an earlier batch.
        let requests: Int
    }

    /// Small, so that other users of the store do not wait.
    static let batchLimit = 5_000

    /// Of all processes; deliveries without an outcome count as `not_attempted`.
    private(set) var outcomes: OutcomeCounts
    /// Of all processes.
    private(set) var requests: Int
    /// Counts how deliveries ended in all processes since the work began.
    var breaker: FailureBreaker
    private var othersOutcomes: OutcomeCounts
    private var othersRequests: Int
    private var unwritten: [DeliveryRecord] = []
    private var unwrittenRequests = 0

    init(outcomes: OutcomeCounts, requests: Int, limit: FailureLimit? = nil) {
        self.breaker = FailureBreaker(limit)
        self.outcomes = outcomes
        self.requests = requests
        self.othersOutcomes = outcomes
        self.othersRequests = requests
    }

    var ownOutcomes: OutcomeCounts {
        var own = OutcomeCounts()
        for outcome in Outcome.final {
            own[outcome] = outcomes[outcome] - othersOutcomes[outcome]
        }
        return own
    }

    var ownRequests: Int { requests - othersRequests }

    var unwrittenCount: Int { unwritten.count }

    var nextBatch: Batch? {
        guard !unwritten.isEmpty || unwrittenRequests > 0 else { return nil }
        // Usually everything fits, and nothing is copied.
        let records =
            unwritten.count <= Self.batchLimit
            ? unwritten : Array(unwritten.prefix(Self.batchLimit))
        return Batch(records: records, requests: unwrittenRequests)
    }

    mutating func wrote(_ batch: Batch) {
        if batch.records.count == unwritten.count {
            unwritten = []
        } else {
            unwritten.removeFirst(batch.records.count)
        }
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
            breaker.note(outcome)
            outcomes[outcome] += 1
            outcomes[.notAttempted] = max(0, outcomes[.notAttempted] - 1)
        }
    }

    /// Counts deliveries that ended in other processes, but never more than are open here.
    ///
    /// Others report a delivery a little after recording it, so it may be counted already.
    mutating func noteOthers(_ ended: OutcomeCounts, requests count: Int = 0) {
        var left = outcomes[.notAttempted]
        for outcome in Outcome.final {
            let added = min(ended[outcome], left)
            outcomes[outcome] += added
            othersOutcomes[outcome] += added
            left -= added
        }
        outcomes[.notAttempted] = left
        requests += count
        othersRequests += count
    }

    mutating func noteRequests(_ count: Int) {
        requests += count
        unwrittenRequests += count
    }

    mutating func noteSkipped(_ count: Int) {
        outcomes[.skipped] += count
        outcomes[.notAttempted] = max(0, outcomes[.notAttempted] - count)
    }
}
