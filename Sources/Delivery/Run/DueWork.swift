package import CampaignCore
package import FoundationEssentials

/// What is due of one campaign, for `run --due` (contract, section 13).
package struct DueWork: Sendable {
    /// What there is to do, in this order; empty: nothing.
    package let steps: [Step]
    /// The run that waits for a person, and with it the whole campaign; nil as a rule.
    package let waiting: RunRecord?
    /// The runs that no fallback follows, as nobody has fetched anything of them; a warning tells of each.
    package let unfetched: [RunRecord]

    /// One thing to do.
    package enum Step: Hashable, Sendable {
        /// Go on with a run that a crash, a signal or an unreachable hub ended.
        case proceed(RunRecord)
        /// Begin the run of an occurrence.
        case begin(Occurrence)
        /// Begin the fallback that follows a run: as ``RunRequest/Mode/fallback(of:)``.
        case fallBack(RunRecord)
    }

    /// Looks it up; the store notes since when it knows the schedule.
    ///
    /// - Parameters:
    ///   - campaign: the campaign.
    ///   - hub: where it is sent.
    ///   - ledger: where runs are kept.
    ///   - now: the current time.
    ///   - isWorkedOn: whether a process works on the campaign: then nothing is due.
    /// - Throws: what the ledger throws.
    package init(
        of campaign: Campaign, at hub: HubIdentity, in ledger: any RunLedger & ScheduleLedger,
        now: Date, isWorkedOn: Bool
    ) async throws {
        var occurrence: Occurrence?
        if let schedule = campaign.schedule {
            // Also while something else keeps it from being sent: from here on the store knows it.
            let sight = try await ledger.firstSight(
                of: schedule.description, campaign: campaign.name, at: hub, now: now)
            occurrence = schedule.due(at: now, knownSince: sight).map(Occurrence.scheduled)
        }
        guard !isWorkedOn else {
            self.init(steps: [])
            return
        }
        let open = try await Sendings(of: campaign.name, at: hub, in: ledger).unfinished
        guard let waiting = open.first(where: \.waitsForPerson) else {
            // What was begun first ends first.
            var steps = open.reversed().filter { !$0.isUnstagedFallback }.map(Step.proceed)
            let fallbacks = try await DueFallbacks(
                of: campaign, at: hub, in: ledger, now: now)
            steps += fallbacks.due.map(Step.fallBack)
            if let occurrence,
                try await ledger.run(hub: hub, campaign: campaign.name, occurrence: occurrence)
                    == nil
            {
                steps.append(.begin(occurrence))
            }
            self.init(steps: steps, unfetched: fallbacks.unfetched)
            return
        }
        self.init(steps: [], waiting: waiting)
    }

    private init(steps: [Step], waiting: RunRecord? = nil, unfetched: [RunRecord] = []) {
        self.steps = steps
        self.waiting = waiting
        self.unfetched = unfetched
    }
}

extension RunRecord {
    /// Whether it is a fallback of which nobody was written down yet: it begins anew, with the run that it follows, if at all.
    fileprivate var isUnstagedFallback: Bool {
        state == .staging && occurrence.fallbackOf != nil
    }

    /// Whether it goes on only when somebody says so; what an older version paused, nobody knows better.
    fileprivate var waitsForPerson: Bool {
        switch state {
        case .stopped: true
        case .paused: pause != .passing
        // No process works on it, so a crash ended it.
        case .staging, .running, .waiting: false
        case .finished: false
        }
    }
}
