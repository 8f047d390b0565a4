package import CampaignCore

/// What is asked of a run.
package struct RunRequest: Sendable {
    /// Which sending of the campaign it is.
    package enum Mode: Hashable, Sendable {
        /// The sending of this occurrence. It is begun, or continued if it was begun before, and never sent twice.
        case occurrence(Occurrence)
        /// One more sending; or the unfinished sending of this kind, so that a rerun does no harm.
        ///
        /// Of a campaign that was never sent, it is the occurrence `once`. It is refused while a run of another kind is not finished.
        case again
        /// One more sending, to the people whose deliveries had these outcomes in the campaign's last finished run; or the unfinished
        /// sending of this kind.
        ///
        /// It is refused like ``again``.
        case rest(Set<Outcome>)
        /// A sending to a few people, to try the campaign out; it is not an occurrence.
        case rehearsal
        /// A visible push to people who have not fetched what an earlier run sent them.
        ///
        /// The value is the record of that run when the fallback was planned.
        case fallback(of: RunRecord)

        /// The sending that is meant for a campaign: `once` stands for the campaign's own occurrence, which is a moment if it has `at`.
        package func meant(by campaign: Campaign) -> Mode {
            self == .occurrence(.once) ? .occurrence(campaign.ownOccurrence) : self
        }
    }

    package var campaign: Campaign
    package var hub: HubIdentity
    package var mode: Mode
    /// The campaign file, absolute.
    package var campaignPath: String
    /// The plan that it has to keep to; nil: it keeps to no plan.
    ///
    /// A plan continues only runs that were begun by it. Once a run by the plan has finished, the plan begins no other.
    package var plan: PlanID?
    /// Whether the run is only due, and nobody asked for it: then a run that waits for a person is not continued.
    package var isUnattended: Bool
    /// Who asks for it.
    package var starter: RunStarter?

    /// - Parameter mode: which sending; it is kept as ``Mode/meant(by:)`` gives it.
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

    /// Whether it begins or continues a fallback, and not a sending of the campaign itself.
    package var isFallback: Bool {
        switch mode {
        case .fallback: true
        case .occurrence(let occurrence): occurrence.fallbackOf != nil
        case .again, .rest, .rehearsal: false
        }
    }
}

/// What a request for a run leads to, given what the store holds now.
///
/// Without the campaign's lock, this can change.
package enum RunStep: Sendable {
    /// Nothing of this sending has gone out: it begins.
    case begin
    /// It was begun, and its staging was interrupted: it is staged again.
    case stage(RunRecord)
    /// It is staged: it goes on.
    case proceed(RunRecord)
    /// It is finished: nothing is sent.
    case leaveFinished(RunRecord)
    /// Somebody stopped it: only `resume` continues it.
    case refuseStopped(RunRecord)
    /// This other sending is not finished, so that one more has to wait: if both went out, people would be reached twice.
    case refuseUnfinished(RunRecord)

    /// Finds out what a request leads to.
    ///
    /// - Parameters:
    ///   - request: what is asked of a run.
    ///   - ledger: where runs are kept; it is only read.
    /// - Throws: ``RunError/runIsGone(campaign:)`` for a fallback that is to go on and was never staged; what the ledger throws.
    package init(for request: RunRequest, in ledger: any RunLedger) async throws {
        // A plan allows one sending, even in a mode that begins a new one each time.
        if let plan = request.plan,
            let run = try await Sendings(
                of: request.campaign.name, at: request.hub, in: ledger
            ).finished(by: plan)
        {
            self = .leaveFinished(run)
            return
        }
        switch request.mode {
        case .rehearsal:
            self = .begin
        case .occurrence(let occurrence):
            let run = try await ledger.run(
                hub: request.hub, campaign: request.campaign.name, occurrence: occurrence)
            // The people of a fallback are known only with the run that it follows.
            guard occurrence.fallbackOf == nil || run.map({ $0.state != .staging }) ?? false else {
                throw RunError.runIsGone(campaign: request.campaign.name)
            }
            self.init(for: run)
        case .again:
            let sendings = try await Sendings(
                of: request.campaign.name, at: request.hub, in: ledger)
            self = sendings.oneMore(
                continuing: sendings.unfinishedAgain(besides: request.campaign.ownOccurrence))
        case .rest:
            let sendings = try await Sendings(
                of: request.campaign.name, at: request.hub, in: ledger)
            self = sendings.oneMore(continuing: sendings.unfinishedRest)
        case .fallback(let parent):
            let sendings = try await Sendings(
                of: request.campaign.name, at: request.hub, in: ledger)
            self.init(for: sendings.begunFallback(of: parent))
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

    /// Refuses to continue a run by a plan that it was not begun by: its people and payloads are not the plan's.
    ///
    /// - Parameter plan: the plan that the request has to keep to; nil: it keeps to no plan.
    /// - Throws: ``RunError/otherPlan(_:campaign:begun:asked:)``.
    package func requireSame(_ plan: PlanID?) throws(RunError) {
        guard let plan, case .proceed(let run) = self, run.plan != plan else { return }
        throw .otherPlan(run.id, campaign: run.campaign, begun: run.plan, asked: plan)
    }

    /// The run that is there already, with its audience; nil when a run is yet to be staged.
    var run: RunRecord? {
        switch self {
        case .begin, .stage: nil
        case .proceed(let run), .leaveFinished(let run), .refuseStopped(let run),
            .refuseUnfinished(let run):
            run
        }
    }

    /// Whether it leads to pushes, if anybody is left to send to.
    package var sends: Bool {
        switch self {
        case .begin, .stage, .proceed: true
        case .leaveFinished, .refuseStopped, .refuseUnfinished: false
        }
    }

    /// Whether the run has to be staged, for which its audience is planned.
    package var stagesAudience: Bool {
        switch self {
        case .begin, .stage: true
        case .proceed, .leaveFinished, .refuseStopped, .refuseUnfinished: false
        }
    }
}

/// A campaign's runs through one hub, the latest first; rehearsals are left out.
///
/// Fallbacks are not sendings of the campaign itself: they are kept apart, and are found by the run that they follow.
struct Sendings: Sendable {
    /// How many of the campaign's latest runs are looked at.
    private static let most = 1_000

    private let runs: [RunRecord]
    private let withFallbacks: [RunRecord]

    /// Reads the runs.
    ///
    /// - Throws: what the ledger throws.
    init(of campaign: String, at hub: HubIdentity, in ledger: any RunLedger) async throws {
        withFallbacks = try await ledger.runs(campaign: campaign, limit: Self.most).filter { run in
            run.hub == hub && !run.isRehearsal
        }
        runs = withFallbacks.filter { $0.occurrence.fallbackOf == nil }
    }

    /// The fallbacks that follow a run.
    func fallbacks(of parent: RunID) -> [RunRecord] {
        withFallbacks.filter { $0.occurrence.fallbackOf == parent }
    }

    /// The fallback of a run that another process has begun already, or whose staging was interrupted; usually nil.
    fileprivate func begunFallback(of parent: RunRecord) -> RunRecord? {
        let begun = fallbacks(of: parent.id)
        if let staging = begun.first(where: { $0.state == .staging }) { return staging }
        let isSeenTo = runs.contains {
            $0.id == parent.id && $0.fallbackRequests >= parent.requests
        }
        return isSeenTo ? begun.first : nil
    }

    /// The runs whose audience is staged, the latest first.
    var staged: [RunRecord] { runs.filter { $0.state != .staging } }

    /// The latest finished run; a rest is for the people whom it did not reach.
    var lastFinished: RunRecord? { runs.first { $0.state == .finished } }

    /// The finished run that was begun by a plan.
    fileprivate func finished(by plan: PlanID) -> RunRecord? {
        runs.first { $0.state == .finished && $0.plan == plan }
    }

    /// Whether nothing was ever staged; then one more sending is the first.
    ///
    /// - Parameter own: the campaign's own occurrence, which is meant if no other is named.
    func areNone(besides own: Occurrence) -> Bool {
        runs.allSatisfy { $0.state == .staging && $0.occurrence != own }
    }

    /// The run that `--again` continues.
    ///
    /// - Parameter own: the campaign's own occurrence, which is meant if no other is named.
    fileprivate func unfinishedAgain(besides own: Occurrence) -> RunRecord? {
        if let run = runs.first(where: { $0.occurrence.isAgain && $0.state != .finished }) {
            return run
        }
        guard lastFinished == nil else { return nil }
        // No sending has ended yet: the first one that was begun is the one that is asked for, even by a rerun.
        return runs.first { $0.occurrence == own }
    }

    /// The run that `--again --only` continues.
    fileprivate var unfinishedRest: RunRecord? {
        runs.first { $0.occurrence.isRest && $0.state != .finished }
    }

    /// What a request for one more sending leads to.
    fileprivate func oneMore(continuing run: RunRecord?) -> RunStep {
        let step = RunStep(for: run)
        guard step.stagesAudience,
            let other = runs.first(where: {
                [.stopped, .paused, .running, .waiting].contains($0.state)
            })
        else { return step }
        return .refuseUnfinished(other)
    }
}
