import CampaignCore
import FoundationEssentials

extension RunOverview {
    /// What is to be said of people whom nothing was sent since time was up: how many, why, and what can be done; nil when there are none.
    package var lateness: String? {
        let counts = [
            (outcomes.tooLate, "too late: \(deadline)", "delivery.finish_within"),
            (outcomes.expired, "expired: \(expiry)", "payload.expires_after"),
        ].filter { $0.0 > 0 }
        guard !counts.isEmpty else { return nil }
        let parts = counts.map { count, reason, _ in
            let deliveries = Figures.count(run.deliveries, "delivery", "deliveries")
            let verb = count == 1 ? "was" : "were"
            return "\(Figures.count(count)) of \(deliveries) \(verb) skipped as \(reason)."
        }
        let keys = counts.map { "`\($0.2)`" }.joined(separator: " and ")
        return parts.joined(separator: " ")
            + " This run sends nothing to these people any more, and its report names them: reach them by a "
            + "campaign of their own, and give the next one more time (\(keys)) or a higher `delivery.rate`."
    }

    private var deadline: String {
        let end = run.started.addingTimeInterval(run.delivery.finishWithin / .seconds(1))
        return "`finish_within` was over at \(Timestamp.readable(end)), before their turn"
    }

    private var expiry: String {
        "the payload expired at \(Timestamp.readable(run.expires)), before their turn"
    }
}
