package import CampaignCore

/// What a person reads when a run has ended, and what `hubsend report --format text` prints.
package struct RunSummaryText: Sendable {
    private let overview: RunOverview
    private let style: TextStyle
    private let command: CommandForm

    /// - Parameters:
    ///   - overview: the run.
    ///   - style: whether the text may have colours.
    ///   - command: how a command is written that finds the run again.
    package init(_ overview: RunOverview, style: TextStyle, command: CommandForm = CommandForm()) {
        self.overview = overview
        self.style = style
        self.command = command
    }

    /// Some fifteen lines, the most important first.
    package func text() -> String {
        var lines = opening
        if overview.outcomes.total > 0 { lines += [""] + outcomeLines }
        if !overview.reasons.isEmpty { lines += [""] + overview.reasonLines }
        if let lateness = overview.lateness(command) { lines += ["", lateness] }
        lines += [""] + factLines
        if let next { lines += ["", next] }
        return lines.joined(separator: "\n") + "\n"
    }

    private var run: RunRecord { overview.run }

    /// How the run stands, and why it pauses.
    var opening: [String] {
        let headline = RunHeadline(overview)
        let state = style.apply(headline.emphasis, to: headline.state)
        return ["\(style.apply(.bold, to: run.campaign)): \(state)\(headline.rest)"]
            + (headline.pause.map { [$0] } ?? [])
    }

    /// Each outcome with its count, its share and what it means.
    var outcomeLines: [String] {
        var table = TextTable([.left, .right, .right, .left], indent: 2)
        let shown = overview.shownOutcomes
        for outcome in shown {
            let count = overview.outcomes[outcome]
            let share = Figures.share(count, of: overview.outcomes.total)
            table.append([
                outcome.rawValue, Figures.count(count), share, overview.meaning(of: outcome),
            ])
        }
        return zip(shown, table.lines()).map { outcome, line in
            style.apply(emphasis(of: outcome), to: line)
        }
    }

    private var factLines: [String] {
        var table = TextTable([.left, .left], indent: 2)
        let facts = RunFacts(overview)
        table.append(["people", facts.people])
        if let reach = overview.reach, run.kind.isSilent, reach.accepted > 0 {
            table.append(["accepted", Self.funnel(reach)])
        }
        table.append(["deliveries", facts.deliveries])
        table.append(["requests", Figures.count(run.requests)])
        table.append(["started", UTCTime.readable(run.started)])
        if let starter = facts.starter { table.append(["started by", starter]) }
        if let finished = run.finished {
            table.append(["took", Figures.duration(from: run.started, to: finished)])
        }
        if let revocation = facts.revocation { table.append(["revoked", revocation]) }
        if let deletion = facts.deletion { table.append(["who it went to", deletion]) }
        table.append(["hub", run.hub.description])
        table.append(["run", run.id.text])
        for fact in facts.relations { table.append([fact.label, fact.value]) }
        if let plan = run.plan { table.append(["plan", plan.text]) }
        if let report = overview.report { table.append(["report", VisibleText.escape(report)]) }
        return table.lines()
    }

    /// What to type now, where it is not over.
    var next: String? {
        switch run.state {
        case .finished where overview.report == nil && run.deliveriesDeleted == nil:
            "To write its report: \(command(["report", run.id.text]))"
        case .finished: nil
        case .waiting:
            "When it is time, `hubsend run --due` goes on with it, where it is called; by hand: \(command(["resume", run.id.text]))"
        case .paused, .stopped: continuation
        // Somebody is.
        case .running where !(overview.workers ?? []).isEmpty: nil
        case .staging, .running:
            "If nothing is sending it any more: \(command(["resume", run.id.text]))"
        }
    }

    private var continuation: String {
        let continuation = RunContinuation(of: run, overview.outcomes)
        return "\(continuation.introduction) \(command(continuation.words))"
    }

    /// What push services cannot tell: who fetched the payload, and who read it.
    ///
    /// The hub does not say whether a person has a device, so nobody is called reached.
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
