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
            + " This run sends nothing to these people any more, and its report names them: "
            + "\(remedy), and give that more time (\(keys)) or a higher `delivery.rate`."
    }

    /// How the people of ``lateness`` are reached, and nobody twice.
    private var remedy: String {
        guard !run.isRehearsal else { return "rehearse once more" }
        let isFinished = run.state == .finished
        // All at once: each sending to a rest narrows the one before.
        let left = outcomes.left.filter { isFinished || $0 != .notAttempted }
        let time = isFinished ? "" : "once it is finished, "
        return time + "reach them with the campaign's file and `hubsend run --again --only "
            + left.map(\.rawValue).joined(separator: ",") + "`"
    }

    private var deadline: String {
        let end = run.started.addingTimeInterval(run.delivery.finishWithin / .seconds(1))
        return "`finish_within` was over at \(Timestamp.readable(end)), before their turn"
    }

    private var expiry: String {
        "the payload expired at \(Timestamp.readable(run.expires)), before their turn"
    }
}
