import CampaignCore
import CampaignFormat
import Delivery
import Storage

/// What a call would do with one campaign, and what is known of it before anything is sent.
struct PlannedRun: Sendable {
    /// How the run is entered.
    enum Entry: Sendable {
        /// With its next step when the store was read.
        case run(RunRequest, RunStep)
        /// A run that a person continues; its campaign only says how it is sent.
        case resume(RunRecord, campaign: Campaign?)
    }

    let entry: Entry
    /// The audience; nil if nothing has to be staged.
    var audience: PlannedAudience?
    /// Findings that do not prevent sending.
    var warnings: [Diagnostic] = []
    /// Findings that prevent sending.
    var faults: [Diagnostic] = []
    /// Optional exclusions of campaigns that have no known run.
    var unknownRuns: [PreviewRemark] = []
    /// The processes that already work on the run, and what is left of it.
    var company: Company?
    /// The scheduled start that this sending comes before; usually nil.
    var ahead: ScheduleAhead?

    /// Other processes on a run that this one joins.
    struct Company: Sendable {
        let hosts: Int
        /// Deliveries without an outcome.
        let left: Int
    }

    /// nil for `resume`.
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
        case .run(_, .begin), .run(_, .stage): emptyRest == nil
        case .run(_, .proceed): true
        case .run: false
        case .resume(let record, _): record.state != .finished
        }
    }

    /// The rest of an earlier run, if nobody is left in it; usually nil.
    var emptyRest: RestOfRun? {
        guard let audience, audience.plan.counts.final == 0 else { return nil }
        return audience.rest
    }

    /// What would happen, as a sentence for a person who is asked.
    var sentence: String {
        if case .resume(let run, _) = entry {
            let pushes = Figures.count(run.deliveries, "push", "pushes")
            return "\(campaign): continue run \(run.id), \(pushes) in all"
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

    /// Names the run that is joined, its hosts and what is left; nil if nobody else works on it.
    var joining: String? {
        guard let company, case .run(_, .proceed(let run)) = entry else { return nil }
        let hosts = Figures.count(company.hosts, "host", "hosts")
        let pushes = Figures.count(company.left, "push", "pushes")
        return "join run \(run.id), which is being sent from \(hosts), with \(pushes) left"
    }

    /// Whether the same command again finds the run finished and writes a missing report.
    ///
    /// `run --due` ignores finished runs. `--again` begins another unless a plan forbids it.
    var isFoundFinishedAgain: Bool {
        guard let request else { return true }
        if request.isUnattended { return false }
        if case .occurrence = request.mode { return true }
        return request.plan != nil
    }
}

extension PlannedRun.Company {
    /// Finds the processes that work on a run; nil if there are none.
    init?(on run: RunRecord, in store: any Store) async throws {
        let workers = try await store.workers(on: run) ?? []
        guard !workers.isEmpty else { return nil }
        hosts = Set(workers.map(\.process.host)).count
        left = try await store.outcomes(run.id)[.notAttempted]
    }
}
