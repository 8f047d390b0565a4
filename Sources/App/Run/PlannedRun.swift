import CampaignCore
import CampaignFormat
import Delivery
import Storage

/// The plan for one campaign: what the command will do, and what is known before anything is sent.
struct PlannedRun: Sendable {
    /// How the run begins or continues.
    enum Entry: Sendable {
        /// A request, and the next step according to the store.
        case run(RunRequest, RunStep)
        /// A run to resume, for which the campaign provides only the delivery settings.
        case resume(RunRecord, campaign: Campaign?)
    }

    let entry: Entry
    /// The audience; nil if nothing has to be staged.
    var audience: PlannedAudience?
    /// Findings that do not prevent sending.
    var warnings: [Diagnostic] = []
    /// Findings that prevent sending.
    var errors: [Diagnostic] = []
    /// Optional exclusions of campaigns without a finished run.
    var unknownRuns: [PreviewRemark] = []
    var others: OtherProcesses?
    /// The scheduled start before which this run would be sent; usually nil.
    var ahead: ScheduleAhead?

    /// The other processes on a run that this process joins.
    struct OtherProcesses: Sendable {
        let hosts: Int
        /// Deliveries without an outcome.
        let left: Int
    }

    /// The request; nil for `resume`.
    var request: RunRequest? { if case .run(let request, _) = entry { request } else { nil } }

    var campaign: String {
        switch entry {
        case .run(let request, _): request.campaign.name
        case .resume(let record, _): record.campaign
        }
    }

    var kind: CampaignKind {
        switch entry {
        case .run(let request, _): request.campaign.kind
        case .resume(let record, _): record.kind
        }
    }

    /// Whether it is a fallback rather than the campaign itself.
    var isFallback: Bool {
        switch entry {
        case .run(let request, _): request.isFallback
        case .resume(let record, _): record.occurrence.fallbackOf != nil
        }
    }

    var isPending: Bool {
        switch entry {
        case .run(_, .begin), .run(_, .stage): emptyFollowUp == nil
        case .run(_, .proceed): true
        case .run: false
        case .resume(let record, _): record.state != .finished
        }
    }

    /// The earlier run, if a follow-up run of it has no recipients; usually nil.
    var emptyFollowUp: UnreachedPeople? {
        guard let audience, audience.plan.counts.final == 0 else { return nil }
        return audience.unreached
    }

    /// Describes the run for a person who is asked to confirm it.
    var sentence: String {
        if case .resume(let run, _) = entry {
            let pushes = Figures.count(run.deliveries, "push", "pushes")
            return "\(campaign): continue run \(run.id), \(pushes) in total"
        }
        let found =
            warnings.isEmpty ? "" : ", " + Figures.count(warnings.count, "warning", "warnings")
        let name = campaign + (isFallback ? ", fallback" : "")
        if let plan = audience?.plan {
            let people = Figures.count(plan.counts.final, "person", "people")
            let pushes = Figures.count(plan.deliveries, "push", "pushes")
            return "\(name): \(people), \(pushes)\(found)"
        }
        guard case .run(_, .proceed(let run)) = entry else { return "\(name)\(found)" }
        return "\(name): \(joining ?? "continue run \(run.id)")\(found)"
    }

    /// Describes a run that this process joins; nil if no other process works on the run.
    var joining: String? {
        guard let others, case .run(_, .proceed(let run)) = entry else { return nil }
        let hosts = Figures.count(others.hosts, "host", "hosts")
        let pushes = Figures.count(others.left, "push", "pushes")
        return "join run \(run.id), which is being sent from \(hosts), with \(pushes) left"
    }

    /// Whether repeating the command would find this run finished, and only write the missing
    /// report.
    ///
    /// `run --due` ignores finished runs, and `--again` starts another run unless a plan forbids
    /// it.
    var isFoundFinishedAgain: Bool {
        guard let request else { return true }
        if request.isUnattended { return false }
        if case .occurrence = request.mode { return true }
        return request.plan != nil
    }
}

extension PlannedRun.OtherProcesses {
    /// Finds the processes that work on a run; returns nil if no process does.
    init?(on run: RunRecord, in store: any Store) async throws {
        let workers = try await store.workers(on: run) ?? []
        guard !workers.isEmpty else { return nil }
        hosts = Set(workers.map(\.process.host)).count
        left = try await store.outcomes(run.id)[.notAttempted]
    }
}
