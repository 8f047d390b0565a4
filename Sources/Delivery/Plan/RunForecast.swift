package import CampaignCore
package import FoundationEssentials

/// What a run would do at this moment; to find it out, nothing is written down.
package struct RunForecast: Sendable {
    /// How a run would go about it.
    package enum Step: Sendable {
        /// It would begin: nothing of this sending has gone out.
        case begin
        /// It would continue one that was begun.
        case proceed(RunRecord)
        /// It would send nothing: this one is finished.
        case leaveFinished(RunRecord)
        /// It would refuse: somebody stopped this one.
        case refuseStopped(RunRecord)
        /// It would refuse: one more sending waits for the end of this one.
        case refuseUnfinished(RunRecord)
    }

    private static let batch = 5_000

    package let step: Step
    /// Deliveries without an outcome that a run would now turn to; those that the cap skips are among them.
    package let deliveries: Int
    /// How many of them the cap would skip if they were due now; nil: there is no cap.
    package let capped: Int?

    /// Finds out.
    ///
    /// - Parameters:
    ///   - request: what would be asked of a run.
    ///   - audience: whom it would be staged for.
    ///   - ledger: where runs are kept; it is only read.
    ///   - now: the present.
    /// - Throws: what ledger and sorter throw; `CancellationError`.
    package init(
        of request: RunRequest, to audience: PlannedAudience, in ledger: any RunLedger, at now: Date
    ) async throws {
        let standing = try await CampaignRunner.standingRun(for: request, in: ledger)
        if let other = try await CampaignRunner.obstacle(to: request, beside: standing, in: ledger)
        {
            step = .refuseUnfinished(other)
            deliveries = try await ledger.outcomes(other.id)[.notAttempted]
            capped = nil
            return
        }
        let cap = request.mode == .rehearsal ? nil : request.campaign.delivery.frequencyCap
        guard let standing, standing.state != .staging else {
            step = .begin
            deliveries = audience.plan.deliveries
            capped =
                if let cap {
                    try await Self.capped(audience, of: request, by: cap, in: ledger, at: now)
                } else {
                    nil
                }
            return
        }
        switch standing.state {
        case .finished: step = .leaveFinished(standing)
        case .stopped: step = .refuseStopped(standing)
        case .staging, .running, .paused: step = .proceed(standing)
        }
        deliveries =
            standing.state == .finished ? 0 : try await ledger.outcomes(standing.id)[.notAttempted]
        capped =
            if let cap, standing.state != .finished {
                try await Self.capped(standing, by: cap, in: ledger, at: now)
            } else {
                nil
            }
    }

    private static func capped(
        _ audience: PlannedAudience, of request: RunRequest, by cap: FrequencyCap,
        in ledger: any RunLedger, at now: Date
    ) async throws -> Int {
        var (seen, capped) = (0, 0)
        // A rest is for some platforms of each person.
        var walk = audience.rest?.walk()
        while true {
            try Task.checkCancellation()
            let page = try await audience.people.page(after: seen, limit: batch).map(\.username)
            if page.isEmpty { return capped }
            var people: [Platform: [Username]] = [:]
            for username in page {
                let all = Set(request.campaign.platforms)
                for platform in try await walk?.platforms(of: username) ?? all {
                    people[platform, default: []].append(username)
                }
            }
            for platform in request.campaign.platforms {
                capped += try await ledger.capped(
                    people[platform] ?? [], on: platform, at: request.hub, besides: nil, by: cap,
                    at: now)
            }
            seen += page.count
        }
    }

    /// Only who was never begun can be capped: a retry is not held back.
    private static func capped(
        _ run: RunRecord, by cap: FrequencyCap, in ledger: any RunLedger, at now: Date
    ) async throws -> Int {
        var capped = 0
        for platform in run.platforms {
            var last = 0
            while true {
                try Task.checkCancellation()
                let page = try await ledger.unclaimed(
                    run.id, platform: platform, after: last, limit: batch)
                if page.people.isEmpty { break }
                capped += try await ledger.capped(
                    page.people, on: platform, at: run.hub, besides: run.id, by: cap, at: now)
                last = page.last
            }
        }
        return capped
    }
}
