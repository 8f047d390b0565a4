package import CampaignCore
package import FoundationEssentials

/// What is due of one campaign, for `run --due` (contract, section 13).
package struct DueWork: Sendable {
    /// What there is to do, in this order; empty: nothing.
    package let steps: [Step]
    /// The runs that wait for a person, the newest first; none as a rule.
    ///
    /// They hold back what is yet to begin: what was wrong, or what somebody stopped, would go out with the next occurrence
    /// again. What was begun goes on beside them.
    package let waiting: [RunRecord]
    /// All runs that have not ended, those that wait among them.
    package let unfinished: [RunRecord]
    /// The fallbacks that were never staged and have expired with the run that they follow: nobody stages them any more.
    package let expired: [RunRecord]
    /// The runs that no fallback follows, as nobody has fetched anything of them; a warning tells of each.
    package let unfetched: [RunRecord]

    /// One thing to do.
    package enum Step: Hashable, Sendable {
        /// Go on with a run that a crash, a signal or an unreachable hub ended, or of which a wave is due.
        case proceed(RunRecord)
        /// Begin the run of an occurrence.
        case begin(Occurrence)
        /// Begin the fallback that follows a run.
        case fallBack(RunRecord)

        /// Which sending of the campaign it is.
        package var mode: RunRequest.Mode {
            switch self {
            case .proceed(let run): .occurrence(run.occurrence)
            case .begin(let occurrence): .occurrence(occurrence)
            case .fallBack(let parent): .fallback(of: parent)
            }
        }

        /// What is done once in a call, whatever it came to: an occurrence, or the fallbacks that follow a run.
        package var subject: Occurrence {
            switch self {
            case .proceed(let run): run.occurrence.fallbackOf.map(Self.fallbacks) ?? run.occurrence
            case .begin(let occurrence): occurrence
            case .fallBack(let parent): Self.fallbacks(of: parent.id)
            }
        }

        private static func fallbacks(of parent: RunID) -> Occurrence {
            .fallback(of: parent, number: 0)
        }
    }

    /// Looks it up; the store notes since when it knows the schedule.
    ///
    /// Whether a process works on the campaign at this moment, the store does not tell; then nothing of it counts.
    ///
    /// - Parameters:
    ///   - campaign: the campaign.
    ///   - hub: where it is sent.
    ///   - ledger: where runs are kept.
    ///   - now: the current time.
    /// - Throws: what the ledger throws.
    package init(
        of campaign: Campaign, at hub: HubIdentity, in ledger: any RunLedger & ScheduleLedger,
        now: Date
    ) async throws {
        var occurrence: Occurrence?
        if let schedule = campaign.schedule {
            // Also while something keeps it from being sent: from here on the store knows it.
            let sight = try await ledger.firstSight(
                of: schedule.description, campaign: campaign.name, at: hub, now: now)
            occurrence = schedule.due(at: now, knownSince: sight).map(Occurrence.scheduled)
        }
        unfinished = try await ledger.unfinished(campaign: campaign.name, at: hub)
        waiting = unfinished.filter(\.waitsForPerson)
        expired = unfinished.filter {
            $0.state == .staging && $0.occurrence.fallbackOf != nil && $0.expires <= now
        }
        // What was begun first ends first.
        var steps = unfinished.reversed().filter { $0.goesOn(at: now, due: occurrence) }
            .map(Step.proceed)
        // What waits for a person holds back a fallback too.
        let fallbacks =
            waiting.isEmpty
            ? try await DueFallbacks(of: campaign, at: hub, in: ledger, now: now) : .none
        steps += fallbacks.due.map(Step.fallBack)
        unfetched = fallbacks.unfetched
        if let occurrence, waiting.isEmpty,
            try await ledger.run(hub: hub, campaign: campaign.name, occurrence: occurrence) == nil
        {
            steps.append(.begin(occurrence))
        }
        self.steps = steps
    }
}

extension DueWork {
    /// Ends what is ``expired``; nothing of it was sent.
    ///
    /// - Parameters:
    ///   - ledger: where runs are kept.
    ///   - lock: what keeps other processes away; while one works on the campaign, nothing is done.
    ///   - now: the current time.
    /// - Throws: what ledger and lock throw.
    package func endExpired(
        in ledger: any RunLedger, lock: any CampaignLock, at now: Date
    ) async throws {
        guard let campaign = expired.first?.campaign,
            let held = try await lock.acquire(campaign: campaign)
        else { return }
        defer { held.release() }
        for run in expired {
            // Only what is read with the lock held is sure.
            guard let found = try await ledger.run(run.id), found.state == .staging else {
                continue
            }
            try await ledger.clearStaging(run.id)
            try await ledger.setState(.finished, reason: nil, of: run.id, at: now)
        }
    }
}

extension RunRecord {
    /// Whether it goes on only when somebody says so; what an older version paused, nobody knows better.
    package var waitsForPerson: Bool {
        switch state {
        case .stopped: true
        case .paused: pause != .passing
        case .staging, .running, .waiting, .finished: false
        }
    }

    /// Whether it was staged and goes on by itself, now or when its next wave is due.
    package var goesOnByItself: Bool {
        switch state {
        case .running, .waiting: true
        case .paused: pause == .passing
        case .staging, .stopped, .finished: false
        }
    }

    /// Whether it goes on by itself at once, given that no process works on it.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - due: the occurrence that is due; nil: none.
    fileprivate func goesOn(at now: Date, due: Occurrence?) -> Bool {
        switch state {
        case .stopped, .finished: false
        case .paused: pause == .passing
        case .running: true
        case .waiting: resumes.map { $0 <= now } ?? true
        case .staging:
            // Nothing of it was sent. A start that the clock gave is one that was missed, like others; what else it was
            // begun for, as a rest or a plan, is staged only by who asks for the same again.
            occurrence.scheduled != nil
                ? occurrence == due
                : plan == nil && !occurrence.isRest && occurrence.fallbackOf == nil
        }
    }
}
