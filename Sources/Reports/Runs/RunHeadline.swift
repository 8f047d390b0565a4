import CampaignCore

/// How a run stands, in a line.
struct RunHeadline {
    /// A pause's reason is cut here; it is a sentence of hubsend's that may quote the hub.
    private static let longestReason = 600

    /// The state.
    let state: String
    /// What stands behind it: how far the run came.
    let rest: String
    /// Whether that is well.
    let emphasis: TextStyle.Emphasis?
    /// Why it pauses; nil when it does not.
    let pause: String?

    /// That a run is no sending of the campaign itself, in brackets behind a blank; empty as a rule.
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
