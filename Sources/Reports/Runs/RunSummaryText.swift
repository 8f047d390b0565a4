package import CampaignCore

/// What a person reads when a run has ended, and what `hubsend report --format text` prints.
package struct RunSummaryText: Sendable {
    /// A pause's reason is cut here; it is a sentence of hubsend's that may quote the hub.
    private static let longestReason = 600

    private let overview: RunOverview
    private let style: TextStyle
    private let options: [String]

    /// - Parameters:
    ///   - overview: the run.
    ///   - style: whether the text may have colours.
    ///   - options: what a command needs beside the run's id to find it again, such as `--store` and its value.
    package init(_ overview: RunOverview, style: TextStyle, options: [String] = []) {
        self.overview = overview
        self.style = style
        self.options = options
    }

    /// Some fifteen lines, the most important first.
    package func text() -> String {
        var lines = [style.apply(.bold, to: run.campaign) + ": " + headline]
        if run.state == .paused, let reason = run.reason {
            lines.append(HubText.cleaned(reason, limit: Self.longestReason))
        }
        if overview.outcomes.total > 0 { lines += [""] + outcomeLines }
        if !overview.reasons.isEmpty { lines += [""] + overview.reasonLines }
        if let lateness = overview.lateness { lines += ["", lateness] }
        lines += [""] + factLines
        if let next { lines += ["", next] }
        return lines.joined(separator: "\n") + "\n"
    }

    private var run: RunRecord { overview.run }

    private var headline: String {
        let rehearsal = run.isRehearsal ? " (rehearsal)" : ""
        let total = Figures.count(run.deliveries, "push", "pushes")
        let ended = "\(Figures.count(overview.ended)) of \(total)"
        switch run.state {
        case .finished:
            let accepted = overview.outcomes[.accepted]
            if accepted == run.deliveries {
                return style.apply(.green, to: "finished\(rehearsal)") + ", \(total) accepted"
            }
            let emphasis: TextStyle.Emphasis = overview.outcomes.troubled > 0 ? .red : .yellow
            return style.apply(emphasis, to: "finished\(rehearsal)")
                + ", \(Figures.count(accepted)) of \(total) accepted"
        case .paused: return style.apply(.yellow, to: "paused\(rehearsal)") + " after \(ended)"
        case .stopped: return style.apply(.yellow, to: "stopped\(rehearsal)") + " after \(ended)"
        case .running: return "running\(rehearsal), \(ended) so far"
        case .staging: return "staging\(rehearsal), nothing sent yet"
        }
    }

    private var outcomeLines: [String] {
        var table = TextTable([.left, .right, .right, .left], indent: 2)
        let shown = Outcome.allCases.filter { $0 == .accepted || overview.outcomes[$0] > 0 }
        for outcome in shown {
            let count = overview.outcomes[outcome]
            let share = Figures.share(count, of: overview.outcomes.total)
            table.append([outcome.rawValue, Figures.count(count), share, meaning(of: outcome)])
        }
        return zip(shown, table.lines()).map { outcome, line in
            style.apply(emphasis(of: outcome), to: line)
        }
    }

    private var factLines: [String] {
        var table = TextTable([.left, .left], indent: 2)
        var people = Figures.count(run.recipients)
        let left = [(run.counts.duplicate, "duplicate"), (run.counts.excluded, "excluded")]
            .filter { $0.0 > 0 }.map { "\(Figures.count($0.0)) \($0.1)" }
        if !left.isEmpty {
            let parts = ["\(Figures.count(run.counts.named)) named"] + left
            people += " (\(parts.joined(separator: ", ")))"
        }
        let platforms = run.platforms.map(\.rawValue).joined(separator: ", ")
        table.append(["people", people])
        if let reach = overview.reach, run.kind.isSilent, reach.accepted > 0 {
            table.append(["accepted", Self.funnel(reach)])
        }
        table.append(["deliveries", "\(Figures.count(run.deliveries)) on \(platforms)"])
        table.append(["requests", Figures.count(run.requests)])
        table.append(["started", UTCTime.readable(run.started)])
        if let finished = run.finished {
            table.append(["took", Figures.duration(from: run.started, to: finished)])
        }
        if let revoked = run.revoked {
            table.append([
                "revoked",
                UTCTime.readable(revoked)
                    + (run.kind.isSilent
                        ? "; nobody can fetch it any more"
                        : "; alerts that were sent cannot be taken back"),
            ])
        }
        table.append(["hub", run.hub.description])
        table.append(["run", run.id.text])
        if let plan = run.plan { table.append(["plan", plan.text]) }
        if let report = overview.report { table.append(["report", VisibleText.escape(report)]) }
        return table.lines()
    }

    /// What to type now, where it is not over.
    private var next: String? {
        switch run.state {
        case .finished where overview.report == nil:
            "To write its report: \(command("report"))"
        case .finished: nil
        case .paused, .stopped: "To continue: \(command("resume"))"
        case .staging, .running: "If nothing is sending it any more: \(command("resume"))"
        }
    }

    private func command(_ name: String) -> String {
        (["hubsend", name, run.id.text] + options.map(ShellWord.quoted)).joined(separator: " ")
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

    private func meaning(of outcome: Outcome) -> String {
        switch outcome {
        case .accepted: "the hub took it; no proof of arrival"
        case .rejected: "the hub refused it for good"
        case .failed: "its tries or its time ran out"
        case .unknown: "may have gone out; the answer was lost"
        case .skipped:
            switch overview.outcomes[.skipped] - overview.outcomes.late {
            case overview.outcomes[.skipped]: "left out on purpose"
            case 0: "their time was up before their turn"
            case let others:
                "\(Figures.count(overview.outcomes.late)) because time was up, "
                    + "\(Figures.count(others)) on purpose"
            }
        case .notAttempted:
            run.state == .finished ? "never sent: the run was ended before them" : "no outcome yet"
        }
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
