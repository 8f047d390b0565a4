import CampaignCore

/// The text at the end of a run and of `hubsend report --format text`.
struct RunSummaryText: Sendable {
    private let overview: RunOverview
    private let style: TextStyle
    private let command: CommandForm
    private let width: Int?

    /// - Parameter width: nil: no line is broken.
    init(
        _ overview: RunOverview, style: TextStyle, command: CommandForm = CommandForm(),
        width: Int? = nil
    ) {
        self.overview = overview
        self.style = style
        self.command = command
        self.width = width
    }

    /// About fifteen lines, the most important first.
    func text() -> String {
        var lines = opening
        if overview.outcomes.total > 0 { lines += [""] + outcomeLines }
        if !overview.reasons.isEmpty { lines += [""] + overview.reasonLines(within: width) }
        if let lateness = overview.lateness(command) { lines += [""] + wrapped(lateness) }
        lines += [""] + factLines
        if let advice { lines += [""] + wrapped(advice) }
        return lines.joined(separator: "\n") + "\n"
    }

    private var run: RunRecord { overview.run }

    var opening: [String] {
        let headline = RunHeadline(overview)
        let state = style.apply(headline.emphasis, to: headline.state)
        return ["\(style.apply(.bold, to: run.campaign)): \(state)\(headline.rest)"]
            + (headline.pause.map(wrapped) ?? [])
    }

    func wrapped(_ sentence: String) -> [String] {
        WrappedText.paragraph(sentence, width: width, keepsWords: true)
    }

    var outcomeLines: [String] {
        var table = TextTable([.left, .right, .right, .wrapped], indent: 2)
        let shown = overview.shownOutcomes
        for outcome in shown {
            let count = overview.outcomes[outcome]
            let share = Figures.share(count, of: overview.outcomes.total)
            table.append([
                outcome.rawValue, Figures.count(count), share, overview.meaning(of: outcome),
            ])
        }
        return zip(shown, table.lines(within: width)).map { outcome, line in
            style.apply(emphasis(of: outcome), to: line)
        }
    }

    private var factLines: [String] {
        var table = TextTable([.left, .wrapped], indent: 2)
        let facts = RunFacts(overview)
        table.append(["people", facts.people])
        if let reach = overview.reach, run.kind.isSilent, reach.accepted > 0 {
            table.append(["accepted", Self.funnel(reach)])
        }
        table.append(["deliveries", facts.deliveries])
        table.append(["requests", Figures.count(run.requests)])
        table.append(["started", overview.time(run.started)])
        if let starter = facts.starter { table.append(["started by", starter]) }
        if let finished = run.finished {
            table.append(["took", Figures.duration(from: run.started, to: finished)])
        }
        if let revocation = facts.revocation { table.append(["revoked", revocation]) }
        if let deletion = facts.deletion { table.append(["who it went to", deletion]) }
        table.append(["hub", run.hub.words])
        table.append(["run", run.id.text])
        for fact in facts.relations { table.append([fact.label, fact.value]) }
        if let plan = run.plan { table.append(["plan", plan.text]) }
        if let report = overview.report { table.append(["report", VisibleText.escape(report)]) }
        return table.lines(within: width)
    }

    /// A sentence with the next command; nil if there is nothing to do.
    var advice: String? {
        switch run.state {
        case .finished: overview.sendingAgain(command)
        case .waiting:
            "The next `hubsend run --due` continues it when its time comes. To continue it now: \(command(["resume", run.id.text]))"
        case .paused, .stopped: continuation
        // Somebody is working on it.
        case .running where !(overview.workers ?? []).isEmpty: nil
        case .staging, .running:
            "If nothing is sending it any more: \(command(["resume", run.id.text]))"
        }
    }

    private var continuation: String {
        RunContinuation(of: run, overview.outcomes).sentence(command)
    }

    /// Fetches and reads, which push services cannot tell.
    ///
    /// The hub does not say who has a device, so nobody counts as reached.
    private static func funnel(_ reach: Reach) -> String {
        let steps = [(reach.fetched, "fetched"), (reach.read, "read")].map { count, step in
            let share = count == 0 ? "" : " (\(Figures.share(count, of: reach.accepted)))"
            return "\(Figures.count(count)) \(step)\(share)"
        }
        let people = Figures.count(reach.accepted, "person", "people")
        return (["for \(people)"] + steps).joined(separator: ", ")
    }

    private func emphasis(of outcome: Outcome) -> TextStyle.Emphasis? {
        switch outcome {
        case .accepted: nil
        case .rejected, .failed, .unknown: .red
        case .skipped: overview.outcomes.late > 0 ? .red : .yellow
        case .notAttempted: .yellow
        }
    }
}
