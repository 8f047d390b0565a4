package import CampaignCore

/// What `hubsend runs` prints: a table with one line per run, in the order given, but fallbacks behind the runs that they follow.
package struct RunListText: Sendable {
    private let runs: [RunOverview]
    private let style: TextStyle
    private let width: Int?

    /// - Parameters:
    ///   - runs: what to show.
    ///   - style: whether the text may have colours.
    ///   - width: the columns of the terminal, into which the lines are made to fit; nil: nothing is cut or left out.
    package init(_ runs: [RunOverview], style: TextStyle, width: Int? = nil) {
        self.runs = Self.fallbacksBehindTheirRuns(runs)
        self.style = style
        self.width = width
    }

    /// The table with its head, or a sentence when there are no runs.
    package func text() -> String {
        guard !runs.isEmpty else { return "No runs yet.\n" }
        let hasPlans = runs.contains { $0.run.plan != nil }
        var table = TextTable(
            [
                .left, .left.cut(to: 14), .left.cut(to: 10).leftOut(3),
                // Until when a run waits is worth more than its hub, and nothing where it is cut.
                .left, .right,
                // Of a finished run it is the difference of its neighbours.
                .right.leftOut(2), .right.leftOut(4),
                // The id says when it began.
                .left.leftOut(0), .left.cut(to: 24).leftOut(1),
            ] + (hasPlans ? [.left.leftOut(5)] : []))
        table.append(
            [
                "RUN", "CAMPAIGN", "OCCURRENCE", "STATE", "ACCEPTED", "NOT", "OF", "STARTED",
                "HUB",
            ] + (hasPlans ? ["PLAN"] : []))
        for overview in runs {
            table.append(cells(overview) + (hasPlans ? [overview.run.plan?.text ?? ""] : []))
        }
        var lines = table.lines(within: width)
        for (index, overview) in runs.enumerated() {
            lines[index + 1] = style.apply(Self.emphasis(overview), to: lines[index + 1])
        }
        lines[0] = style.apply(.bold, to: lines[0])
        return lines.joined(separator: "\n") + "\n"
    }

    /// The runs with each fallback behind the run that it follows, where that is among them.
    private static func fallbacksBehindTheirRuns(_ runs: [RunOverview]) -> [RunOverview] {
        let shown = Set(runs.map(\.run.id))
        var followers: [RunID: [RunOverview]] = [:]
        var others: [RunOverview] = []
        for overview in runs {
            if let parent = overview.run.occurrence.fallbackOf, shown.contains(parent) {
                followers[parent, default: []].append(overview)
            } else {
                others.append(overview)
            }
        }
        return others.flatMap { [$0] + (followers[$0.run.id] ?? []) }
    }

    private func cells(_ overview: RunOverview) -> [String] {
        let run = overview.run
        let accepted = overview.outcomes[.accepted]
        return [
            run.id.text,
            run.campaign,
            Self.occurrence(run),
            state(overview),
            Figures.count(accepted),
            // What a finished run has not sent, it never will.
            Figures.count((run.state == .finished ? run.deliveries : overview.ended) - accepted),
            Figures.count(run.deliveries),
            UTCTime.readable(run.started),
            run.hub.description,
        ]
    }

    /// Which sending it is; a word instead of an occurrence that only repeats a run's id.
    private static func occurrence(_ run: RunRecord) -> String {
        if run.isRehearsal { return "rehearsal" }
        if run.occurrence.isRest { return "rest" }
        if run.occurrence.fallbackOf != nil { return "fallback" }
        return run.occurrence.isAgain ? "again" : run.occurrence.text
    }

    /// The state, until when it lasts where that is known, and how many work on it where several can.
    ///
    /// A run that was taken back has ended, unless the process that took it back was killed in between.
    private func state(_ overview: RunOverview) -> String {
        let run = overview.run
        let workers = overview.workers?.count ?? 0
        let state =
            run.state.rawValue
            + (workers > 0 ? ", " + Figures.count(workers, "worker", "workers") : "")
        guard run.revoked == nil else {
            return run.state == .finished ? "revoked" : "\(state), revoked"
        }
        guard let moment = run.resumes.map(UTCTime.readable) else { return state }
        // Where there is little room, month, day, hour and minute: turns come within days of the start, which the id has.
        let short = "\(moment.dropFirst(5).prefix(11)) UTC"
        return "\(state) until \(width == nil ? moment : short)"
    }

    private static func emphasis(_ overview: RunOverview) -> TextStyle.Emphasis? {
        switch overview.run.state {
        case .paused, .stopped: .yellow
        case .finished: overview.outcomes.troubled > 0 ? .red : nil
        case .staging, .running, .waiting: nil
        }
    }
}
