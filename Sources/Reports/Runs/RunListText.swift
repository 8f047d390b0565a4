import CampaignCore

/// What `hubsend runs` prints: a table with a line a run, in the order given.
package struct RunListText: Sendable {
    private let runs: [RunOverview]
    private let style: TextStyle

    package init(_ runs: [RunOverview], style: TextStyle) {
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
        for overview in runs { table.append(Self.cells(overview)) }
        var lines = table.lines()
        for (index, overview) in runs.enumerated() {
            lines[index + 1] = style.apply(Self.emphasis(overview), to: lines[index + 1])
        }
        lines[0] = style.apply(.bold, to: lines[0])
        return lines.joined(separator: "\n") + "\n"
    }

    private static func cells(_ overview: RunOverview) -> [String] {
        let run = overview.run
        let accepted = overview.outcomes[.accepted]
        return [
            run.id.text,
            run.isRehearsal ? run.campaign + " (rehearsal)" : run.campaign,
            run.state.rawValue,
            Figures.count(accepted),
            Figures.count(overview.ended - accepted),
            Figures.count(run.deliveries),
            Timestamp.readable(run.started),
            run.hub.description,
        ]
    }

    private static func emphasis(_ overview: RunOverview) -> TextStyle.Emphasis? {
        switch overview.run.state {
        case .paused, .stopped: .yellow
        case .finished: overview.outcomes.troubled > 0 ? .red : nil
        case .staging, .running: nil
        }
    }
}
