import CampaignCore

/// Counts how deliveries end while a run is worked on, in whichever process, and says when too large a share of them ended badly.
struct FailureBreaker: Sendable {
    let limit: FailureLimit?
    private var ended = 0
    private var failed = 0

    /// - Parameter limit: the share that is too large; nil: no share is.
    init(_ limit: FailureLimit?) {
        self.limit = limit
    }

    /// Counts one delivery that has ended; what was left out on purpose says nothing.
    mutating func note(_ outcome: Outcome) {
        switch outcome {
        case .accepted:
            ended += 1
        case .rejected, .failed, .unknown:
            ended += 1
            failed += 1
        case .skipped, .notAttempted:
            break
        }
    }

    /// Counts what ended in other processes.
    mutating func note(_ outcomes: OutcomeCounts) {
        let bad = outcomes[.rejected] + outcomes[.failed] + outcomes[.unknown]
        ended += outcomes[.accepted] + bad
        failed += bad
    }

    /// What is wrong; nil while the share is bearable or too few have ended to tell.
    var fault: String? {
        guard let limit, ended >= limit.minimum, failed * 100 >= limit.percent * ended else {
            return nil
        }
        return
            "\(Figures.count(failed)) of the \(Figures.count(ended)) deliveries that ended; `stop_when` allows less than "
            + "\(limit.percent)%"
    }
}
