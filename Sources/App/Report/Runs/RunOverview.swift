import CampaignCore
import FoundationEssentials

struct RunOverview: Hashable, Sendable {
    var run: RunRecord
    var outcomes: OutcomeCounts
    /// nil if nobody counted.
    var reach: Reach?
    /// The most frequent first; may be incomplete.
    var reasons: [TroubleReason] = []
    /// The CSV report's path.
    var report: String?
    /// Its fallbacks in order, if looked up.
    var fallbacks: [RunID] = []
    /// nil if only one process can work on it.
    var workers: [RunWorker]?
    /// Times are also shown in this zone; nil: only in UTC.
    var zone: TimeZoneRules?
    /// The campaign's last sending, if this one is older: `--only` chooses among its people.
    var later: RunID?

    func time(_ date: Date) -> String { UTCTime.readable(date, in: zone) }

    var ended: Int { run.deliveries - outcomes[.notAttempted] }

    /// Outcomes with any deliveries, and always `accepted`.
    var shownOutcomes: [Outcome] {
        Outcome.allCases.filter { $0 == .accepted || outcomes[$0] > 0 }
    }
}

extension RunOverview {
    /// How many people got nothing because time was up, why, and what to do.
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
        // Their names are gone.
        guard run.deliveriesDeleted == nil else { return parts.joined(separator: " ") }
        let keys = counts.map { "`\($0.2)`" }.joined(separator: " and ")
        return parts.joined(separator: " ")
            + " This run sends nothing to these people any more; its report names them. "
            + "Allow more time (\(keys)) or a higher `delivery.rate`\(remedy(command))"
    }

    /// How a finished run is sent again to the people who did not get it.
    ///
    /// nil if there are none, if it cannot be sent to them alone, if its file is not known, or when
    /// ``lateness(_:)`` says it.
    func sendingAgain(_ command: CommandForm) -> String? {
        guard run.state == .finished, outcomes.troubled > 0, !run.isRehearsal,
            run.occurrence.fallbackOf == nil, run.revoked == nil, run.deliveriesDeleted == nil,
            run.campaignPath != "-", lateness(command) == nil
        else { return nil }
        return repetition(command)
    }

    /// How to send a finished run again: to the people it did not reach, or else to everybody.
    func repetition(_ command: CommandForm) -> String {
        let words = wordsForRest
        guard words.contains("--only") else {
            return "To send it once more, to everybody: \(command(words))"
        }
        if let hindrance { return hindrance }
        let doubt = outcomes[.unknown] > 0 ? " (unknown ones may have got it)" : ""
        return "To send it again to those only\(doubt): \(command(words))"
    }

    /// How to reach the people of ``lateness(_:)`` without reaching anybody twice.
    private func remedy(_ command: CommandForm) -> String {
        guard !run.isRehearsal else { return ", and rehearse once more." }
        guard run.occurrence.fallbackOf == nil else {
            return ", and let the next one begin earlier (`delivery.fallback`)."
        }
        if let hindrance { return ". \(hindrance)" }
        let time = run.state == .finished ? "" : ", once it is finished"
        return ", and reach them\(time): \(command(wordsForRest))"
    }

    private var hindrance: String? {
        later.map {
            "Run \($0) came later, so `--again --only` no longer chooses among these people."
        }
    }

    private var wordsForRest: [String] {
        // All at once, because each rest narrows the one before.
        let left = outcomes.left.filter { run.state == .finished || $0 != .notAttempted }
        return run.wordsForRest(left.map(\.rawValue).joined(separator: ","))
    }

    private var deadline: String {
        let end = run.started.addingTimeInterval(run.delivery.finishWithin / .seconds(1))
        let verb = isOver(end) ? "was" : "is"
        return "`finish_within` \(verb) over at \(time(end)), before their turn"
    }

    private var expiry: String {
        let verb = isOver(run.expires) ? "expired" : "expires"
        return "the payload \(verb) at \(time(run.expires)), before their turn"
    }

    /// Whether an instant came before the run ended.
    private func isOver(_ instant: Date) -> Bool {
        run.finished.map { instant <= $0 } ?? true
    }
}

extension RunOverview {
    static let mostReasons = 5

    /// The most frequent reason as a sentence, without a name.
    var mainReason: String? {
        reasons.first.map { reason in
            "The most frequent reason: \(Self.words(reason)) "
                + "(\(Figures.count(reason.count)) \(reason.outcome.rawValue))."
        }
    }

    /// On one line.
    static func words(_ reason: TroubleReason) -> String {
        reason.reason.isEmpty ? "nothing was said" : HubText.cleaned(reason.reason)
    }
}

extension RunOverview {
    func meaning(of outcome: Outcome) -> String {
        switch outcome {
        case .skipped where outcomes.late > 0:
            switch outcomes[.skipped] - outcomes.late {
            case 0: "their time was up before their turn"
            case let others:
                "\(Figures.count(outcomes.late)) because time was up, "
                    + "\(Figures.count(others)) on purpose"
            }
        case .notAttempted where run.state == .finished:
            "never sent: the run was ended before them"
        default: outcome.facts.meaning
        }
    }
}
