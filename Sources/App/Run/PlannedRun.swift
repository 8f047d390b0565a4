import CampaignCore
import CampaignFormat
import Delivery
import Storage

struct PlannedRun: Sendable {
    let request: RunRequest
    /// The request's next step when the store was read.
    let step: RunStep
    /// The audience; nil if nothing has to be staged.
    var audience: PlannedAudience?
    /// Findings that do not prevent sending.
    var warnings: [Diagnostic]
    /// Optional exclusions of campaigns that have no known run.
    var unknownRuns: [PreviewRemark] = []
    /// Who works on the run already, if anybody, and what is left of it.
    var company: Company?

    /// The scheduled start that this sending comes before; usually nil.
    var ahead: ScheduleAhead?

    /// Other processes on a run that this one joins.
    struct Company: Sendable {
        let hosts: Int
        /// Deliveries without an outcome.
        let left: Int
    }

    var isPending: Bool {
        switch step {
        case .begin, .stage: emptyRest == nil
        case .proceed: true
        case .leaveFinished, .refuseStopped, .refuseUnfinished: false
        }
    }

    /// The rest of an earlier run, if nobody is left in it; usually nil.
    var emptyRest: RestOfRun? {
        guard let audience, audience.plan.counts.final == 0 else { return nil }
        return audience.rest
    }

    /// What would happen, as a sentence for a person who is asked.
    var sentence: String {
        let found =
            warnings.isEmpty ? "" : ", " + Figures.count(warnings.count, "warning", "warnings")
        let name = request.campaign.name + (request.isFallback ? ", fallback" : "")
        if let plan = audience?.plan {
            let people = Figures.count(plan.counts.final, "person", "people")
            let pushes = Figures.count(plan.deliveries, "push", "pushes")
            return "\(name): \(people), \(pushes)\(found)"
        }
        guard case .proceed(let run) = step else { return "\(name)\(found)" }
        if let joining { return "\(name): \(joining)\(found)" }
        return "\(name): continue run \(run.id)\(found)"
    }

    /// Names the run that is joined, its hosts and what is left; nil if nobody else works on it.
    var joining: String? {
        guard let company, case .proceed(let run) = step else { return nil }
        let hosts = Figures.count(company.hosts, "host", "hosts")
        let pushes = Figures.count(company.left, "push", "pushes")
        return "join run \(run.id), which is being sent from \(hosts), with \(pushes) left"
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
