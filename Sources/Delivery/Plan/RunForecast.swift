package import CampaignCore
package import FoundationEssentials

/// Predicts what a run would do now; it writes nothing.
package struct RunForecast: Sendable {
    package let step: RunStep
    /// The number of open deliveries, including those that the cap would skip.
    package let deliveries: Int
    /// How many deliveries the cap would skip now; nil without a cap.
    package let capped: Int?
    /// The keys that changed since the existing run was staged; the run sends what was staged.
    package let changed: [String]

    package init(
        of request: RunRequest, to audience: PlannedAudience, in ledger: any RunHistory,
        at now: Date
    ) async throws {
        step = try await RunStep(for: request, in: ledger)
        let cap = request.mode == .rehearsal ? nil : request.campaign.delivery.frequencyCap
        var found: RunRecord?
        var capped: Int?
        switch step {
        case .begin, .stage:
            deliveries = audience.plan.deliveries
            if let cap {
                capped = try await Self.capped(audience, of: request, by: cap, in: ledger, at: now)
            }
        case .proceed(let run), .refuseStopped(let run):
            found = run
            deliveries = try await ledger.outcomes(run.id)[.notAttempted]
            if let cap { capped = try await Self.capped(run, by: cap, in: ledger, at: now) }
        case .leaveFinished(let run): (found, deliveries) = (run, 0)
        case .refuseUnfinished(let run):
            found = run
            deliveries = try await ledger.outcomes(run.id)[.notAttempted]
        }
        self.capped = capped
        changed = found?.changedKeys(in: request.campaign) ?? []
    }

    private static func capped(
        _ audience: PlannedAudience, of request: RunRequest, by cap: FrequencyCap,
        in ledger: any RunHistory, at now: Date
    ) async throws -> Int {
        var capped = 0
        // A follow-up run uses only some platforms for each person.
        var walk = audience.unreached?.walk()
        try await audience.people.forEachPage { members in
            var people: [Platform: [Username]] = [:]
            for name in members.map(\.username) {
                let rest = try await walk?.person(named: name)
                let platforms =
                    walk == nil ? Set(request.campaign.platforms) : rest?.platforms ?? []
                for platform in platforms { people[platform, default: []].append(name) }
            }
            for platform in request.campaign.platforms {
                capped += try await ledger.capped(
                    people[platform] ?? [], on: platform, at: request.hub, besides: nil, by: cap,
                    at: now)
            }
            return true
        }
        return capped
    }

    /// Counts only untried people, because the cap does not apply to retries.
    private static func capped(
        _ run: RunRecord, by cap: FrequencyCap, in ledger: any RunHistory, at now: Date
    ) async throws -> Int {
        var capped = 0
        for platform in run.platforms {
            var last = 0
            while true {
                try Task.checkCancellation()
                let page = try await ledger.unclaimed(
                    run.id, platform: platform, after: last, limit: CampaignPlanner.batch)
                if page.people.isEmpty { break }
                capped += try await ledger.capped(
                    page.people, on: platform, at: run.hub, besides: run.id, by: cap, at: now)
                last = page.last
            }
        }
        return capped
    }
}
