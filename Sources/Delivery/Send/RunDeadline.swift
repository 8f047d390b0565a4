import CampaignCore
import FoundationEssentials

/// When a run's time is up, and what is said of those who are left.
struct RunDeadline: Hashable, Sendable {
    let date: Date
    let detail: String

    /// The earlier of the payload's expiry and `finish_within`.
    init(_ run: RunRecord) {
        let within = run.delivery.finishWithin
        let late = run.started.addingTimeInterval(within / .seconds(1))
        if run.expires <= late {
            self.date = run.expires
            self.detail = SkipReason.expired.detail(
                "the payload expired at \(run.expires.ISO8601Format())")
        } else {
            self.date = late
            self.detail = SkipReason.tooLate.detail(
                "finish_within ended at \(late.ISO8601Format())")
        }
    }
}
