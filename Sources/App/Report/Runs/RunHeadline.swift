import CampaignCore

/// How a run stands, in a line.
struct RunHeadline {
    /// The most characters of a pause's reason, which may quote the hub.
    private static let longestReason = 600

    let state: String
    /// How far the run came.
    let rest: String
    let emphasis: TextStyle.Emphasis?
    let pause: String?

    /// Says in brackets that a run is not a normal sending; usually empty.
    static func remark(on run: RunRecord) -> String {
        if run.isRehearsal { return " (rehearsal)" }
        return run.occurrence.fallbackOf == nil ? "" : " (fallback)"
    }

    init(_ overview: RunOverview) {
        let run = overview.run
        let total = Figures.count(run.deliveries, "push", "pushes")
        let ended = "\(Figures.count(overview.ended)) of \(total)"
        state = run.state.rawValue + Self.remark(on: run)
        pause =
            run.state == .paused
            ? run.reason.map { HubText.cleaned($0, limit: Self.longestReason) } : nil
        switch run.state {
        case .finished:
            let accepted = overview.outcomes[.accepted]
            let isWhole = accepted == run.deliveries
            rest = ", " + (isWhole ? total : "\(Figures.count(accepted)) of \(total)") + " accepted"
            emphasis = isWhole ? .green : overview.outcomes.troubled > 0 ? .red : .yellow
        case .paused, .stopped: (rest, emphasis) = (" after \(ended)", .yellow)
        case .waiting:
            let until =
                run.resumes.map { " until \(overview.time($0))" } ?? ""
            (rest, emphasis) = ("\(until), \(ended) so far", nil)
        case .running: (rest, emphasis) = (", \(ended) so far", nil)
        case .staging: (rest, emphasis) = (", nothing sent yet", nil)
        }
    }
}
