import CampaignCore
import FoundationEssentials

struct RunOverview: Hashable, Sendable {
    var run: RunRecord
    var outcomes: OutcomeCounts
    /// How many people were sent an accepted push, fetched the payload and read it; nil if not
    /// counted.
    var reach: Reach?
    /// The reasons for failures, most frequent first; the list may be incomplete.
    var reasons: [TroubleReason] = []
    /// The path of the CSV report.
    var report: String?
    /// The run's fallbacks in order, if they were looked up.
    var fallbacks: [RunID] = []
    /// The processes that work on the run; nil if the store allows only one process.
    var workers: [RunWorker]?
    /// The zone in which times are shown in addition to UTC; nil for UTC only.
    var zone: TimeZoneRules?
    /// The campaign's last run if this run is older, because `--only` would choose from that run's
    /// people.
    var later: RunID?

    func time(_ date: Date) -> String { UTCTime.readable(date, in: zone) }

    var ended: Int { run.deliveries - outcomes[.notAttempted] }

    /// The outcomes that occurred, plus `accepted`, which is always included.
    var shownOutcomes: [Outcome] {
        Outcome.allCases.filter { $0 == .accepted || outcomes[$0] > 0 }
    }
}

extension RunOverview {
    /// Says how many deliveries were skipped because time ran out, why, and what to do.
    func lateness(_ command: CommandForm) -> String? {
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
        // The names of the people were deleted, so there is nobody to send to.
        guard run.deliveriesDeleted == nil else { return parts.joined(separator: " ") }
        let keys = counts.map { "`\($0.2)`" }.joined(separator: " and ")
        return parts.joined(separator: " ")
            + " This run will not send to them any more; its report lists them. "
            + "Allow more time (\(keys)) or a higher `delivery.rate`\(remedy(command))"
    }

    /// Says how to send a finished run to the people it did not reach.
    ///
    /// Returns nil if the run reached everybody, if it cannot be sent only to the others, if its
    /// file is unknown, or if ``lateness(_:)`` already says this.
    func sendingAgain(_ command: CommandForm) -> String? {
        guard run.state == .finished, outcomes.troubled > 0, !run.isRehearsal,
            run.occurrence.fallbackOf == nil, run.revoked == nil, run.deliveriesDeleted == nil,
            run.campaignPath != "-", lateness(command) == nil
        else { return nil }
        return repetition(command)
    }

    /// Says how to send a finished run again: to the people it did not reach, or to everybody.
    func repetition(_ command: CommandForm) -> String {
        let words = wordsToSendAgain
        guard words.contains("--only") else {
            return "To send it to everybody again: \(command(words))"
        }
        if let hindrance { return hindrance }
        let doubt = outcomes[.unknown] > 0 ? " (those with outcome unknown may have got it)" : ""
        return "To send it only to the people it did not reach\(doubt): \(command(words))"
    }

    /// Says how to reach the people of ``lateness(_:)`` without sending to anybody twice.
    private func remedy(_ command: CommandForm) -> String {
        guard !run.isRehearsal else { return ", then rehearse again." }
        guard run.occurrence.fallbackOf == nil else {
            return ", and start the next fallback earlier (`delivery.fallback`)."
        }
        if let hindrance { return ". \(hindrance)" }
        let time = run.state == .finished ? "" : " once it is finished"
        return ", then send it to them\(time): \(command(wordsToSendAgain))"
    }

    private var hindrance: String? {
        later.map {
            "Run \($0) was sent later, so `--again --only` no longer applies to these people."
        }
    }

    private var wordsToSendAgain: [String] {
        // One command with all outcomes, because each follow-up run is limited to people of the
        // previous run.
        let left = outcomes.left.filter { run.state == .finished || $0 != .notAttempted }
        return run.wordsToSendAgain(left.map(\.rawValue).joined(separator: ","))
    }

    private var deadline: String {
        let end = run.started.addingTimeInterval(run.delivery.finishWithin / .seconds(1))
        let verb = isOver(end) ? "ended" : "ends"
        return "`finish_within` \(verb) at \(time(end)), before their turn"
    }

    private var expiry: String {
        let verb = isOver(run.expires) ? "expired" : "expires"
        return "the payload \(verb) at \(time(run.expires)), before their turn"
    }

    /// Whether a point in time came before the run ended.
    private func isOver(_ instant: Date) -> Bool {
        run.finished.map { instant <= $0 } ?? true
    }
}

extension RunOverview {
    static let mostReasons = 5

    /// The most frequent reason as a sentence, without a name.
    var mainReason: String? {
        reasons.first.map { reason in
            "Most frequent reason: \(Self.words(reason)) "
                + "(\(Figures.count(reason.count)) \(reason.outcome.rawValue))."
        }
    }

    /// The reason on one line.
    static func words(_ reason: TroubleReason) -> String {
        reason.reason.isEmpty ? "no reason given" : HubText.cleaned(reason.reason)
    }
}

extension RunOverview {
    func meaning(of outcome: Outcome) -> String {
        switch outcome {
        case .skipped where outcomes.late > 0:
            switch outcomes[.skipped] - outcomes.late {
            case 0: "time ran out before their turn"
            case let others:
                "\(Figures.count(outcomes.late)) because time ran out, "
                    + "\(Figures.count(others)) on purpose"
            }
        case .notAttempted where run.state == .finished:
            "never sent: the run was ended before their turn"
        default: outcome.facts.meaning
        }
    }
}
