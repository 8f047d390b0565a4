package import CampaignCore

/// Why a run could not start or continue; a rerun continues from the stored state.
package enum RunError: Error, Hashable, Sendable, CustomStringConvertible {
    case locked(campaign: String)
    /// Only `resume` continues it.
    case stopped(RunID)
    /// The run is paused until a person continues it with an explicit request.
    case waits(RunID)
    /// Another sending is unfinished; `left` is the number of its deliveries without an outcome.
    case unfinished(RunID, campaign: String, state: RunState, left: Int)
    case noSuchRun(RunID)
    case otherHub(RunID, begun: HubIdentity, configured: HubIdentity)
    /// Staging was interrupted; only `run` can complete it.
    case notStaged(RunID, campaign: String)
    case otherPlan(RunID, campaign: String, begun: PlanID?, asked: PlanID)
    case refused(campaign: String, [AudienceProblem])
    case audienceChanged(planned: Int, staged: Int)
    /// The run to continue no longer exists, and no audience was planned.
    case runIsGone(campaign: String)
    /// The run that the follow-up was planned for is no longer the last finished one.
    case followUpIsOutdated(campaign: String, of: RunID)
    /// The run that the fallback follows has been continued, stopped or revoked, or it has expired.
    case fallbackIsGone(campaign: String, of: RunID)
    /// A value is missing; nothing was sent.
    case unrenderable(variable: String)
    /// The work is complete, but deliveries have no outcome, because something else changed the
    /// store.
    case unaccounted(RunID, deliveries: Int)

    package var description: String {
        switch self {
        case .locked(let campaign):
            "Campaign \(campaign): another process is working on it. Wait until it has finished."
        case .stopped(let run): "Run \(run) was stopped and stays stopped until it is resumed."
        case .waits(let run): "Run \(run) is paused until somebody continues it."
        case .unfinished(let run, let campaign, let state, let left):
            "Campaign \(campaign): run \(run) is \(state.rawValue) with "
                + "\(Figures.count(left, "push", "pushes")) left, so nothing was sent."
        case .noSuchRun(let run):
            "There is no run \(run) in this store; `hubsend runs` lists all runs."
        case .otherHub(let run, let begun, let configured):
            "Run \(run) was started on the hub \(begun) and cannot continue on \(configured). "
                + "Configure the hub that it was started on."
        case .notStaged(let run, let campaign):
            "Run \(run) of campaign \(campaign) was interrupted before its audience was stored. "
                + "Nothing was sent."
        case .otherPlan(let run, let campaign, let begun, let asked):
            "Campaign \(campaign): run \(run) was started "
                + (begun.map { "with plan \($0)" } ?? "without a plan")
                + ", so its people and payloads may differ from those in plan \(asked). "
                + "Nothing was sent."
        case .refused(let campaign, let problems):
            "Campaign \(campaign): \(Figures.count(problems.count, "problem", "problems")) in its "
                + "audience; `hubsend preview` shows them."
        case .audienceChanged(let planned, let staged):
            "\(Figures.count(planned)) recipients were planned, but only "
                + "\(Figures.count(staged)) could be stored. Nothing was sent. "
                + "Check the store's disk and run the command again."
        case .runIsGone(let campaign):
            "Campaign \(campaign): the run to continue no longer exists. Nothing was sent. "
                + "Run the command again."
        case .followUpIsOutdated(let campaign, let run):
            "Campaign \(campaign): another run has finished since this follow-up to run \(run) was "
                + "planned. Nothing was sent. Run the command again."
        case .fallbackIsGone(let campaign, let run):
            "Campaign \(campaign): run \(run) has continued, was stopped or revoked, or has expired since its fallback "
                + "was planned. No fallback was sent."
        case .unrenderable(let variable):
            "A recipient has no value for {{\(variable)}}, which has no default. Nothing was sent. "
                + "Complete the audience or give the variable a default."
        case .unaccounted(let run, let deliveries):
            "Run \(run): \(Figures.count(deliveries)) deliveries have no outcome although the work is complete. "
                + "This is a bug in hubsend; please report it. A rerun tries them again."
        }
    }
}

extension RunHistory {
    /// Reads a run; throws ``RunError/noSuchRun(_:)`` if it does not exist.
    func record(of id: RunID) async throws -> RunRecord {
        guard let run = try await run(id) else { throw RunError.noSuchRun(id) }
        return run
    }
}
