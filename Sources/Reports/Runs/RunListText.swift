import CampaignCore

/// What `hubsend runs` prints: a table with a line a run, in the order given.
package struct RunListText: Sendable {
    private let runs: [RunSummary]
    private let style: TextStyle

    package init(_ runs: [RunSummary], style: TextStyle) {
        self.runs = runs
        self.style = style
    }

    /// The table with its head, or a sentence when there are no runs.
    package func text() -> String {
        guard !runs.isEmpty else { return "No runs yet.\n" }
        var table = TextTable([.left, .left, .left, .right, .right, .right, .left, .left])
        table.append([
            "RUN", "CAMPAIGN", "STATE", "ACCEPTED", "NOT", "OF", "STARTED", "HUB",
        ])
        for summary in runs { table.append(Self.cells(summary)) }
        var lines = table.lines()
        for (index, summary) in runs.enumerated() {
            lines[index + 1] = style.apply(Self.emphasis(summary), to: lines[index + 1])
        }
        lines[0] = style.apply(.bold, to: lines[0])
        return lines.joined(separator: "\n") + "\n"
    }

    private static func cells(_ summary: RunSummary) -> [String] {
        let run = summary.run
        let accepted = summary.outcomes[.accepted]
        return [
            run.id.text,
            run.isRehearsal ? run.campaign + " (rehearsal)" : run.campaign,
            run.state.rawValue,
            Figures.count(accepted),
            Figures.count(summary.ended - accepted),
            Figures.count(run.deliveries),
            Timestamp.readable(run.started),
            run.hub.description,
        ]
    }

    private static func emphasis(_ summary: RunSummary) -> TextStyle.Emphasis? {
        switch summary.run.state {
        case .paused, .stopped: .yellow
        case .finished: summary.outcomes.troubled > 0 ? .red : nil
        case .staging, .running: nil
        }
    }
}
