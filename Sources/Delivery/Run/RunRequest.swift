package import CampaignCore
import FoundationEssentials

package struct RunRequest: Sendable {
    package enum Mode: Hashable, Sendable {
        /// Starts or continues an occurrence; never sends it twice.
        case occurrence(Occurrence)
        /// Starts another sending, or continues an unfinished one of this kind, so that a rerun is
        /// safe.
        ///
        /// If nothing has been sent yet, this is the default occurrence. It is refused while a run
        /// of another kind is unfinished.
        case again
        /// A follow-up run, to people with these outcomes in the campaign's last finished run.
        ///
        /// It is continued or refused under the same conditions as ``again``.
        case followUp(Set<Outcome>)
        /// A test with a few people, which is not an occurrence.
        case rehearsal
        /// A visible push to people who have not fetched what the run `of` sent; its record was
        /// read during planning.
        case fallback(of: RunRecord)

        /// Replaces `once` with the campaign's default occurrence, which is a time if the campaign
        /// has `at`.
        package func meant(by campaign: Campaign) -> Mode {
            self == .occurrence(.once) ? .occurrence(campaign.ownOccurrence) : self
        }
    }

    package var campaign: Campaign
    package var hub: HubIdentity
    package var mode: Mode
    package var campaignPath: String
    /// The plan to follow.
    ///
    /// A plan can continue only runs that it started, and it finishes no more than one of them.
    package var plan: PlanID?
    /// Whether the request comes from a schedule; if so, a run that waits for a person is not
    /// continued.
    package var isUnattended: Bool
    package var starter: RunStarter?

    package init(
        campaign: Campaign, hub: HubIdentity, mode: Mode = .occurrence(.once),
        campaignPath: String, plan: PlanID? = nil, isUnattended: Bool = false,
        starter: RunStarter? = nil
    ) {
        self.campaign = campaign
        self.hub = hub
        self.mode = mode.meant(by: campaign)
        self.campaignPath = campaignPath
        self.plan = plan
        self.isUnattended = isUnattended
        self.starter = starter
    }

    package var isFallback: Bool {
        switch mode {
        case .fallback: true
        case .occurrence(let occurrence): occurrence.fallbackOf != nil
        case .again, .followUp, .rehearsal: false
        }
    }
}

/// What to do for a request, given the current state of the store.
///
/// The result can change unless the campaign's lock is held.
package enum RunStep: Sendable {
    case begin
    /// The run's staging was interrupted, so the run is staged again.
    case stage(RunRecord)
    case proceed(RunRecord)
    case leaveFinished(RunRecord)
    /// Only `resume` continues it.
    case refuseStopped(RunRecord)
    /// Another sending is unfinished; sending both would reach people twice.
    case refuseUnfinished(RunRecord)

    /// Throws ``RunError/runIsGone(campaign:)`` if a fallback to continue was never staged.
    package init(for request: RunRequest, in ledger: any RunHistory) async throws {
        let (name, hub) = (request.campaign.name, request.hub)
        // A plan allows only one sending, even in a mode that starts a new sending each time.
        if let plan = request.plan,
            let run = try await ledger.lastFinished(of: name, at: hub, by: plan)
        {
            self = .leaveFinished(run)
            return
        }
        switch request.mode {
        case .rehearsal:
            self = .begin
        case .occurrence(let occurrence):
            let run = try await ledger.run(hub: hub, campaign: name, occurrence: occurrence)
            // The people of a fallback are known only from the run that it follows.
            guard occurrence.fallbackOf == nil || run.map({ $0.state != .staging }) ?? false else {
                throw RunError.runIsGone(campaign: name)
            }
            self.init(for: run)
        case .again, .followUp:
            let unfinished = try await ledger.unfinished(of: name, at: hub)
            var run = unfinished.first {
                request.mode == .again ? $0.occurrence.isAgain : $0.occurrence.isFollowUp
            }
            // If no sending has finished, the request refers to the first one, even on a rerun.
            if run == nil, request.mode == .again,
                let first = unfinished.first(where: {
                    $0.occurrence == request.campaign.ownOccurrence
                }),
                try await ledger.lastFinished(of: name, at: hub) == nil
            {
                run = first
            }
            self.init(for: run)
            if stagesAudience, let other = unfinished.first(where: { $0.state != .staging }) {
                self = .refuseUnfinished(other)
            }
        case .fallback(let parent):
            self.init(for: try await ledger.begunFallback(of: parent))
        }
    }

    private init(for run: RunRecord?) {
        guard let run else {
            self = .begin
            return
        }
        self =
            switch run.state {
            case .staging: .stage(run)
            case .running, .paused, .waiting: .proceed(run)
            case .finished: .leaveFinished(run)
            case .stopped: .refuseStopped(run)
            }
    }

    /// Refuses to continue a run that was not started by this plan, because its people and payloads
    /// may differ.
    package func requireSame(_ plan: PlanID?) throws(RunError) {
        guard let plan, case .proceed(let run) = self, run.plan != plan else { return }
        throw .otherPlan(run.id, campaign: run.campaign, begun: run.plan, asked: plan)
    }

    package var sends: Bool {
        if case .proceed = self { true } else { stagesAudience }
    }

    package var stagesAudience: Bool {
        switch self {
        case .begin, .stage: true
        case .proceed, .leaveFinished, .refuseStopped, .refuseUnfinished: false
        }
    }
}

// MARK: Runs of one campaign at one hub

extension RunHistory {
    /// Latest first; includes fallbacks only if requested.
    private func runs(
        of campaign: String, at hub: HubIdentity, limit: Int? = nil,
        _ ask: (inout RunSearch) -> Void
    ) async throws -> [RunRecord] {
        var search = RunSearch(of: campaign, at: hub)
        search.limit = limit
        ask(&search)
        return try await runs(search)
    }

    func fallbacks(of parent: RunRecord) async throws -> [RunRecord] {
        try await runs(of: parent.campaign, at: parent.hub) { $0.kind = .fallback(of: parent.id) }
            .filter { $0.occurrence.fallbackOf == parent.id }
    }

    /// A fallback that another process has started, or whose staging was interrupted; usually nil.
    fileprivate func begunFallback(of parent: RunRecord) async throws -> RunRecord? {
        let begun = try await fallbacks(of: parent)
        if let staging = begun.first(where: { $0.state == .staging }) { return staging }
        let run = try await run(parent.id)
        let isCovered = run.map { $0.fallbackRequests >= parent.requests } ?? false
        return isCovered ? begun.first : nil
    }

    func staged(
        of campaign: String, at hub: HubIdentity, endedAfter date: Date
    ) async throws -> [RunRecord] {
        try await runs(of: campaign, at: hub) {
            $0.states.remove(.staging)
            $0.endedAfter = date
        }
    }

    func lastStaged(
        of campaign: String, at hub: HubIdentity, startedFrom date: Date? = nil
    ) async throws -> RunRecord? {
        try await runs(of: campaign, at: hub, limit: 1) {
            $0.states.remove(.staging)
            $0.startedFrom = date
        }.first
    }

    /// - Parameter plan: nil means runs with any plan or without one.
    func lastFinished(
        of campaign: String, at hub: HubIdentity, by plan: PlanID? = nil
    ) async throws -> RunRecord? {
        try await runs(of: campaign, at: hub, limit: 1) {
            $0.states = [.finished]
            $0.plan = plan
        }.first
    }

    /// The last finished full sending and all follow-up runs since, latest first.
    func lastFinishedWithFollowUps(
        of campaign: String, at hub: HubIdentity
    ) async throws -> [RunRecord] {
        // A sending usually has few follow-up runs.
        for limit in [20, nil] {
            let runs = try await runs(of: campaign, at: hub, limit: limit) {
                $0.states = [.finished]
            }
            if let whole = runs.firstIndex(where: { !$0.occurrence.isFollowUp }) {
                return Array(runs[...whole])
            }
            if runs.count < limit ?? .max { return runs }
        }
        return []
    }

    /// The unfinished runs of a campaign, latest first.
    func unfinished(of campaign: String, at hub: HubIdentity) async throws -> [RunRecord] {
        try await runs(of: campaign, at: hub) { $0.states.remove(.finished) }
    }

    /// Whether nothing of a campaign was ever staged, so that another sending is the first.
    func hasNone(of campaign: Campaign, at hub: HubIdentity) async throws -> Bool {
        guard try await lastStaged(of: campaign.name, at: hub) == nil else { return false }
        return try await run(
            hub: hub, campaign: campaign.name, occurrence: campaign.ownOccurrence) == nil
    }
}
