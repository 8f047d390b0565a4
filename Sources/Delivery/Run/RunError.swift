package import CampaignCore

/// Why a run could not begin or continue; a rerun continues from what is stored.
package enum RunError: Error, Hashable, Sendable, CustomStringConvertible {
    case locked(campaign: String)
    /// Only `resume` continues it.
    case stopped(RunID)
    /// It waits for a person; only a request for this run continues it.
    case waits(RunID)
    /// Another sending is unfinished; `left` counts its deliveries without an outcome.
    case unfinished(RunID, campaign: String, state: RunState, left: Int)
    case noSuchRun(RunID)
    case otherHub(RunID, begun: HubIdentity, configured: HubIdentity)
    /// Interrupted before staging was complete; only `run` can do that.
    case notStaged(RunID, campaign: String)
    case otherPlan(RunID, campaign: String, begun: PlanID?, asked: PlanID)
    case refused(campaign: String, [AudienceFault])
    case audienceChanged(planned: Int, staged: Int)
    /// The run to continue is gone, and no audience was planned.
    case runIsGone(campaign: String)
    /// The run whose rest was planned is no longer the last finished one.
    case restIsGone(campaign: String, of: RunID)
    /// The run to follow has continued, was stopped or revoked, or has expired.
    case fallbackIsGone(campaign: String, of: RunID)
    /// Nobody was sent anything.
    case unrenderable(variable: String)
    /// Everything was tried, but deliveries have no outcome: the store was changed from outside.
    case unaccounted(RunID, deliveries: Int)

    package var description: String {
        switch self {
        case .locked(let campaign):
            "Campaign \(campaign): another process works on it; wait until that has ended."
        case .stopped(let run): "Run \(run) was stopped and stays stopped until it is resumed."
        case .waits(let run): "Run \(run) waits for a person."
        case .unfinished(let run, let campaign, let state, let left):
            "Campaign \(campaign): run \(run) is \(state.rawValue) with "
                + "\(Figures.count(left, "push", "pushes")) to go, so nothing was sent."
        case .noSuchRun(let run):
            "There is no run \(run) in this store; `hubsend runs` lists those that are."
        case .otherHub(let run, let begun, let configured):
            "Run \(run) was begun on the hub \(begun) and is not continued on \(configured); "
                + "configure the hub that it was begun on."
        case .notStaged(let run, let campaign):
            "Run \(run) of campaign \(campaign) was interrupted before its audience was written down. "
                + "Nothing was sent."
        case .otherPlan(let run, let campaign, let begun, let asked):
            "Campaign \(campaign): run \(run) was begun "
                + (begun.map { "by the plan \($0)" } ?? "without a plan")
                + ", so its people and payloads are not those of the plan \(asked); nothing was sent."
        case .refused(let campaign, let faults):
            "Campaign \(campaign): \(Figures.count(faults.count, "fault", "faults")) in its "
                + "audience; `hubsend preview` shows them."
        case .audienceChanged(let planned, let staged):
            "\(Figures.count(planned)) recipients were planned and \(Figures.count(staged)) could be written down; nothing was "
                + "sent, so check the disk of the store and run again."
        case .runIsGone(let campaign):
            "Campaign \(campaign): the run that was to be continued is gone; nothing was sent, so run again."
        case .restIsGone(let campaign, let run):
            "Campaign \(campaign): another run has finished since the rest of run \(run) was looked "
                + "for; nothing was sent, so run again."
        case .fallbackIsGone(let campaign, let run):
            "Campaign \(campaign): run \(run) has gone on, was stopped or taken back, or has expired since its fallback "
                + "was prepared; no fallback was sent."
        case .unrenderable(let variable):
            "A recipient has no value for {{\(variable)}}, which has no default; nothing was sent, "
                + "so complete the audience or give the variable a default."
        case .unaccounted(let run, let deliveries):
            "Run \(run): \(Figures.count(deliveries)) deliveries have no outcome although all were worked on; "
                + "this is a bug in hubsend, please report it; a rerun tries them again."
        }
    }
}

extension RunHistory {
    /// Throws ``RunError/noSuchRun(_:)`` if there is none.
    func record(of id: RunID) async throws -> RunRecord {
        guard let run = try await run(id) else { throw RunError.noSuchRun(id) }
        return run
    }
}
