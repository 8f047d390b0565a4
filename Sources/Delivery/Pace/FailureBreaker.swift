import CampaignCore

/// Says when too large a share of deliveries ended badly, over all processes.
struct FailureBreaker: Sendable {
    let limit: FailureLimit?
    private var ended = 0
    private var failed = 0

    init(_ limit: FailureLimit?) {
        self.limit = limit
    }

    /// Ignores what was left out on purpose.
    mutating func note(_ outcome: Outcome) {
        switch outcome.kind {
        case .success:
            ended += 1
        case .failure:
            ended += 1
            failed += 1
        case .omission, .open:
            break
        }
    }

    mutating func note(_ outcomes: OutcomeCounts) {
        ended += Outcome.sent.reduce(0) { $0 + outcomes[$1] }
        failed += outcomes.failures
    }

    /// nil while the share is acceptable or too few have ended.
    var fault: String? {
        guard let limit, ended >= limit.minimum, failed * 100 >= limit.percent * ended else {
            return nil
        }
        return
            "\(Figures.count(failed)) of the \(Figures.count(ended)) deliveries that ended; `stop_when` allows less than "
            + "\(limit.percent)%"
    }
}
