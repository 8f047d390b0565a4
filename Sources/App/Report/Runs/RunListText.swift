import CampaignCore

/// The table of `hubsend runs`, in which each fallback follows its run.
struct RunListText {
    private static let occurrence = "OCCURRENCE"
    static let nothingBegan = "No run began in that time."

    private let runs: [RunOverview]
    private let style: TextStyle
    private let width: Int?

    /// - Parameter width: the number of columns to fit; if it is nil, nothing is cut or omitted.
    init(_ runs: [RunOverview], style: TextStyle, width: Int? = nil) {
        self.runs = Self.fallbacksAfterTheirRuns(runs)
        self.style = style
        self.width = width
    }

    func text() -> String {
        guard !runs.isEmpty else { return "No runs yet.\n" }
        let writer = DocumentText(style: style, width: width)
        let table = table(namingRehearsals: false)
        let isLeftOut = !writer.lines(of: table)[0].contains(Self.occurrence)
        return writer.text(of: [.table(isLeftOut ? self.table(namingRehearsals: true) : table)])
    }

    /// - Parameter namesRehearsals: whether the state column marks rehearsals.
    private func table(namingRehearsals namesRehearsals: Bool) -> Document.Table {
        let hasPlans = runs.contains { $0.run.plan != nil }
        var table = Document.Table(
            columns: [
                .init(head: "RUN"), .init(head: "CAMPAIGN", text: .left.cut(to: 10, wanted: 20)),
                .init(head: Self.occurrence, text: .left.cut(to: 10).leftOut(2)),
                .init(head: "STATE"), .init(head: "ACCEPTED", text: .right),
                // The id already contains the start time.
                .init(head: "STARTED", text: .left.leftOut(0)),
                .init(head: "HUB", text: .left.cut(to: 8, wanted: 24)),
            ] + (hasPlans ? [.init(head: "PLAN", text: .left.leftOut(1))] : []), isList: true)
        for overview in runs {
            var cells = cells(overview)
            if namesRehearsals, overview.run.isRehearsal {
                cells[3] = "rehearsal" + (cells[3] == "finished" ? "" : ", \(cells[3])")
            }
            if hasPlans { cells.append(overview.run.plan?.text ?? "") }
            table.append(
                cells.map { Phrase($0) }, Self.emphasis(overview),
                note: width == nil ? nil : Self.resumption(overview.run))
        }
        return table
    }

    /// A sentence with the accepted pushes of several runs.
    static func sum(of runs: [RunOverview]) -> String {
        let pushes = Figures.count(runs.reduce(0) { $0 + $1.run.deliveries }, "push", "pushes")
        let accepted = Figures.count(runs.reduce(0) { $0 + $1.outcomes[.accepted] })
        return "\(Figures.count(runs.count, "run", "runs")): \(accepted) of \(pushes)\(sumEnd)"
    }

    static let sumEnd = " accepted."

    /// Moves each fallback below its run, if that run is listed.
    private static func fallbacksAfterTheirRuns(_ runs: [RunOverview]) -> [RunOverview] {
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

    /// The occurrence, or a word if the occurrence only repeats the run's id.
    static func occurrence(_ run: RunRecord) -> String {
        if run.isRehearsal { return "rehearsal" }
        if run.occurrence.isFollowUp { return "follow-up" }
        if run.occurrence.fallbackOf != nil { return "fallback" }
        return run.occurrence.isAgain ? "again" : run.occurrence.text
    }

    /// The state, with the number of workers and the end of a wait.
    private func state(_ overview: RunOverview) -> String {
        let state = Self.state(of: overview.run, workers: overview.workers?.count ?? 0)
        // On a terminal, the time is on its own line to leave room for the hub.
        guard width == nil, overview.run.revoked == nil, let moment = Self.resumption(overview.run)
        else { return state }
        return "\(state) \(moment)"
    }

    /// The state in a few words.
    ///
    /// A revoked run is normally finished, unless the process that revoked it was killed.
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
