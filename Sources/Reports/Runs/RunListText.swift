package import CampaignCore

/// What `hubsend runs` prints: a table with a row for each run, in the order given, but each fallback after the run that it follows.
package struct RunListText: Sendable {
    /// The sentence that stands for an empty list of a period.
    package static let nothingBegan = "No run began within that time."

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
                .left, .left.cut(to: 10, wanted: 20), .left.cut(to: 10).leftOut(2), .left, .right,
                // The id says when it began.
                .left.leftOut(0), .left.cut(to: 8, wanted: 24),
            ] + (hasPlans ? [.left.leftOut(1)] : []))
        table.append(
            ["RUN", "CAMPAIGN", "OCCURRENCE", "STATE", "ACCEPTED", "STARTED", "HUB"]
                + (hasPlans ? ["PLAN"] : []))
        for overview in runs {
            table.append(cells(overview) + (hasPlans ? [overview.run.plan?.text ?? ""] : []))
        }
        let lines = table.lines(within: width)
        let rows = zip(runs, lines.dropFirst()).map { overview, line in
            let moment = width == nil ? nil : Self.resumption(overview.run)
            return style.apply(
                Self.emphasis(overview), to: line + (moment.map { "\n    \($0)" } ?? ""))
        }
        return ([style.apply(.bold, to: lines[0])] + rows).joined(separator: "\n") + "\n"
    }

    /// How many pushes of several runs were accepted, as a sentence.
    package static func sum(of runs: [RunOverview]) -> String {
        let pushes = Figures.count(runs.reduce(0) { $0 + $1.run.deliveries }, "push", "pushes")
        let accepted = Figures.count(runs.reduce(0) { $0 + $1.outcomes[.accepted] })
        return "\(Figures.count(runs.count, "run", "runs")): \(accepted) of \(pushes)\(sumEnd)"
    }

    /// The end of ``sum(of:)``.
    static let sumEnd = " accepted."

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
        let accepted = Figures.count(overview.outcomes[.accepted])
        let hub = run.hub.description
        return [
            run.id.text, run.campaign, Self.occurrence(run), state(overview),
            "\(accepted) of \(Figures.count(run.deliveries))", UTCTime.readable(run.started),
            width == nil ? hub : hub.replacing(".servicebus.windows.net/", with: "/"),
        ]
    }

    /// Which sending it is; a word instead of an occurrence that only repeats a run's id.
    static func occurrence(_ run: RunRecord) -> String {
        if run.isRehearsal { return "rehearsal" }
        if run.occurrence.isRest { return "rest" }
        if run.occurrence.fallbackOf != nil { return "fallback" }
        return run.occurrence.isAgain ? "again" : run.occurrence.text
    }

    /// The state, how many processes work on it where several can, and until when it waits.
    private func state(_ overview: RunOverview) -> String {
        let state = Self.state(of: overview.run, workers: overview.workers?.count ?? 0)
        // On a terminal the moment has a line of its own, since it would leave no room for the hub.
        guard width == nil, overview.run.revoked == nil, let moment = Self.resumption(overview.run)
        else { return state }
        return "\(state) \(moment)"
    }

    /// The state of a run in a word or two.
    ///
    /// A run that was revoked has ended, unless the process that revoked it was killed in between.
    static func state(of run: RunRecord, workers: Int = 0) -> String {
        let state =
            run.state.rawValue
            + (workers > 0 ? ", " + Figures.count(workers, "worker", "workers") : "")
        guard run.revoked != nil else { return state }
        return run.state == .finished ? "revoked" : "\(state), revoked"
    }

    private static func resumption(_ run: RunRecord) -> String? {
        run.resumes.map { "until \(UTCTime.readable($0))" }
    }

    private static func emphasis(_ overview: RunOverview) -> TextStyle.Emphasis? {
        switch overview.run.state {
        case .paused, .stopped: .yellow
        case .finished: overview.outcomes.troubled > 0 ? .red : nil
        case .staging, .running, .waiting: nil
        }
    }
}
