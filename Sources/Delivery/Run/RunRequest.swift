package import CampaignCore
import FoundationEssentials

package struct RunRequest: Sendable {
    package enum Mode: Hashable, Sendable {
        /// Begins or continues an occurrence; never sends it twice.
        case occurrence(Occurrence)
        /// One more sending, or the unfinished one of this kind, so that a rerun does no harm.
        ///
        /// If nothing was ever sent, it is the occurrence `once`. Refused while a run of another
        /// kind is unfinished.
        case again
        /// One more sending, to people with these outcomes in the campaign's last finished run.
        ///
        /// Continues and refuses like ``again``.
        case rest(Set<Outcome>)
        /// A try-out with a few people; not an occurrence.
        case rehearsal
        /// A visible push to people who have not fetched what `of` sent, as recorded at planning.
        case fallback(of: RunRecord)

        /// Replaces `once` with the campaign's own occurrence, a moment if it has `at`.
        package func meant(by campaign: Campaign) -> Mode {
            self == .occurrence(.once) ? .occurrence(campaign.ownOccurrence) : self
        }
    }

    package var campaign: Campaign
    package var hub: HubIdentity
    package var mode: Mode
    package var campaignPath: String
    /// The plan to keep to; it continues only its own runs, and begins at most one that finishes.
    package var plan: PlanID?
    /// Whether the run is only due: a run that waits for a person is then not continued.
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
        case .again, .rest, .rehearsal: false
        }
    }
}

/// What a request leads to, given the store now; can change without the campaign's lock.
package enum RunStep: Sendable {
    case begin
    /// Its staging was interrupted: it is staged again.
    case stage(RunRecord)
    case proceed(RunRecord)
    case leaveFinished(RunRecord)
    /// Only `resume` continues it.
    case refuseStopped(RunRecord)
    /// Another sending is unfinished: sending both would reach people twice.
    case refuseUnfinished(RunRecord)

    /// Throws ``RunError/runIsGone(campaign:)`` if a fallback to continue was never staged.
    package init(for request: RunRequest, in ledger: any RunHistory) async throws {
        let sendings = Sendings(of: request.campaign.name, at: request.hub, in: ledger)
        // A plan allows one sending, even in a mode that begins a new one each time.
        if let plan = request.plan, let run = try await sendings.finished(by: plan) {
            self = .leaveFinished(run)
            return
        }
        switch request.mode {
        case .rehearsal:
            self = .begin
        case .occurrence(let occurrence):
            let run = try await ledger.run(
                hub: request.hub, campaign: request.campaign.name, occurrence: occurrence)
            // The people of a fallback are known only from the run it follows.
            guard occurrence.fallbackOf == nil || run.map({ $0.state != .staging }) ?? false else {
                throw RunError.runIsGone(campaign: request.campaign.name)
            }
            self.init(for: run)
        case .again:
            self = try await sendings.oneMore(
                continuing: sendings.unfinishedAgain(besides: request.campaign.ownOccurrence))
        case .rest:
            self = try await sendings.oneMore(continuing: sendings.unfinishedRest)
        case .fallback(let parent):
            self.init(for: try await sendings.begunFallback(of: parent))
        }
    }

    fileprivate init(for run: RunRecord?) {
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

    /// Refuses a plan that the run was not begun by: its people and payloads are not the plan's.
    package func requireSame(_ plan: PlanID?) throws(RunError) {
        guard let plan, case .proceed(let run) = self, run.plan != plan else { return }
        throw .otherPlan(run.id, campaign: run.campaign, begun: run.plan, asked: plan)
    }

    package var sends: Bool {
        switch self {
        case .begin, .stage, .proceed: true
        case .leaveFinished, .refuseStopped, .refuseUnfinished: false
        }
    }

    package var stagesAudience: Bool {
        switch self {
        case .begin, .stage: true
        case .proceed, .leaveFinished, .refuseStopped, .refuseUnfinished: false
        }
    }
}

struct Sendings: Sendable {
    private let campaign: String
    private let hub: HubIdentity
    private let ledger: any RunHistory

    init(of campaign: String, at hub: HubIdentity, in ledger: any RunHistory) {
        self.campaign = campaign
        self.hub = hub
        self.ledger = ledger
    }

    /// The latest run of the campaign itself that is as asked for.
    private func latest(
        _ ask: (inout RunSearch) -> Void
    ) async throws -> RunRecord? {
        try await all {
            ask(&$0)
            $0.limit = 1
        }.first
    }

    /// Latest first; includes fallbacks only if asked for.
    private func all(_ ask: (inout RunSearch) -> Void) async throws -> [RunRecord] {
        var search = RunSearch(of: campaign, at: hub)
        ask(&search)
        return try await ledger.runs(search)
    }

    func fallbacks(of parent: RunID) async throws -> [RunRecord] {
        try await all { $0.kind = .fallback(of: parent) }
            .filter { $0.occurrence.fallbackOf == parent }
    }

    /// A fallback that another process has begun, or whose staging was interrupted; usually nil.
    fileprivate func begunFallback(of parent: RunRecord) async throws -> RunRecord? {
        let begun = try await fallbacks(of: parent.id)
        if let staging = begun.first(where: { $0.state == .staging }) { return staging }
        let run = try await ledger.run(parent.id)
        let isSeenTo = run.map { $0.fallbackRequests >= parent.requests } ?? false
        return isSeenTo ? begun.first : nil
    }

    func staged(endedAfter date: Date) async throws -> [RunRecord] {
        try await all {
            $0.states.remove(.staging)
            $0.endedAfter = date
        }
    }

    func lastStaged(startedFrom date: Date? = nil) async throws -> RunRecord? {
        try await latest {
            $0.states.remove(.staging)
            $0.startedFrom = date
        }
    }

    var lastFinished: RunRecord? {
        get async throws { try await latest { $0.states = [.finished] } }
    }

    fileprivate func finished(by plan: PlanID) async throws -> RunRecord? {
        try await latest {
            $0.states = [.finished]
            $0.plan = plan
        }
    }

    /// The last finished sending to all, after those since to its rest; the latest first.
    var lastFinishedWithRests: [RunRecord] {
        get async throws {
            // Few rests follow a sending.
            for limit in [20, nil] {
                let runs = try await all {
                    $0.states = [.finished]
                    $0.limit = limit
                }
                if let whole = runs.firstIndex(where: { !$0.occurrence.isRest }) {
                    return Array(runs[...whole])
                }
                if runs.count < limit ?? .max { return runs }
            }
            return []
        }
    }

    /// The latest first.
    var unfinished: [RunRecord] {
        get async throws { try await all { $0.states.remove(.finished) } }
    }

    /// Whether nothing was ever staged; one more sending is then the first.
    func areNone(besides own: Occurrence) async throws -> Bool {
        guard try await lastStaged() == nil else { return false }
        return try await ledger.run(hub: hub, campaign: campaign, occurrence: own) == nil
    }

    /// The run that `--again` continues; `own` is the campaign's own occurrence.
    fileprivate func unfinishedAgain(besides own: Occurrence) async throws -> RunRecord? {
        let unfinished = try await unfinished
        if let run = unfinished.first(where: \.occurrence.isAgain) { return run }
        // If no sending has ended, the first one begun is meant, also by a rerun.
        guard let run = unfinished.first(where: { $0.occurrence == own }) else { return nil }
        return try await lastFinished == nil ? run : nil
    }

    fileprivate var unfinishedRest: RunRecord? {
        get async throws { try await unfinished.first(where: \.occurrence.isRest) }
    }

    fileprivate func oneMore(continuing run: RunRecord?) async throws -> RunStep {
        let step = RunStep(for: run)
        guard step.stagesAudience,
            let other = try await unfinished.first(where: { $0.state != .staging })
        else { return step }
        return .refuseUnfinished(other)
    }
}
