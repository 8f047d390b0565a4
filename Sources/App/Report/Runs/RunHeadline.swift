import CampaignCore

/// The state of a run in one line.
struct RunHeadline {
    /// The maximum length of the reason for a pause, which may quote the hub.
    private static let longestReason = 600

    let state: String
    /// A phrase about the progress of the run.
    let progress: String
    let emphasis: TextStyle.Emphasis?
    let pause: String?

    /// A note in brackets if the run is a rehearsal or a fallback; empty for other runs.
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
            progress =
                ", " + (isWhole ? total : "\(Figures.count(accepted)) of \(total)") + " accepted"
            emphasis = isWhole ? .green : overview.outcomes.troubled > 0 ? .red : .yellow
        case .paused, .stopped: (progress, emphasis) = (" after \(ended)", .yellow)
        case .waiting:
            let until =
                run.resumes.map { " until \(overview.time($0))" } ?? ""
            (progress, emphasis) = ("\(until), \(ended) so far", nil)
        case .running: (progress, emphasis) = (", \(ended) so far", nil)
        case .staging: (progress, emphasis) = (", nothing sent yet", nil)
        }
    }
}
