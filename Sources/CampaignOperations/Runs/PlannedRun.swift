import CampaignCore
import CampaignFormat
import Delivery
import Storage

/// A campaign that was checked and can be sent.
struct PlannedRun: Sendable {
    let request: RunRequest
    /// What the request led to when the store was read.
    let step: RunStep
    /// Whom it goes to; nil when nothing has to be staged.
    var audience: PlannedAudience?
    /// Findings that do not keep the campaign from being sent.
    var warnings: [Diagnostic]
    /// Who works on the run already, and what is left of it; nil when nobody does.
    var company: Company?

    /// The start by its schedule before which it would be sent by hand; usually nil.
    var ahead: ScheduleAhead?

    /// Other processes that work on a run, and that this one joins.
    struct Company: Sendable {
        let hosts: Int
        /// Deliveries without an outcome.
        let left: Int
    }

    /// Whether there is anything to send.
    var isPending: Bool {
        switch step {
        case .begin, .stage: emptyRest == nil
        case .proceed: true
        case .leaveFinished, .refuseStopped, .refuseUnfinished: false
        }
    }

    /// The rest of an earlier run, if nobody is left in it and there is nothing to do; usually nil.
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

    /// Says which run goes on together with others, on how many hosts, and what is left of it; nil when nobody else works on it.
    var joining: String? {
        guard let company, case .proceed(let run) = step else { return nil }
        let hosts = Figures.count(company.hosts, "host", "hosts")
        let pushes = Figures.count(company.left, "push", "pushes")
        return "join run \(run.id), which is being sent from \(hosts), with \(pushes) left"
    }
}

extension PlannedRun.Company {
    /// Finds the processes that work on a run.
    ///
    /// - Returns: nil when nobody works on the run.
    /// - Throws: what the store throws.
    init?(on run: RunRecord, in store: any Store) async throws {
        let workers = try await store.workers(on: run) ?? []
        guard !workers.isEmpty else { return nil }
        hosts = Set(workers.map(\.process.host)).count
        left = try await store.outcomes(run.id)[.notAttempted]
    }
}
