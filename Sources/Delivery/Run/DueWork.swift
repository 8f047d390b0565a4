package import CampaignCore
package import FoundationEssentials

/// What is due of one campaign, for `run --due`.
package struct DueWork: Sendable {
    /// What there is to do, in this order; empty: nothing.
    package let steps: [Step]
    /// The runs that wait for a person, the newest first; usually empty.
    ///
    /// They hold back what is yet to begin: otherwise, what was wrong or was stopped would go out again with the next occurrence.
    /// Runs that were begun go on beside them.
    package let waiting: [RunRecord]
    /// All runs that have not ended, those that wait among them.
    package let unfinished: [RunRecord]
    /// The fallbacks that were never staged, and have expired with the run that they follow; they are never staged now.
    package let expired: [RunRecord]
    /// The runs that no fallback follows because nobody has fetched anything of them; a warning tells of each.
    package let unfetched: [RunRecord]
    /// A start of `at` that is not sent, since it may have been sent already; usually nil.
    package let missed: Missed?
    /// The next start by the schedule; nil when none follows, or it was sent early.
    package let nextStart: Date?

    /// A start that passed before the schedule was seen.
    package struct Missed: Hashable, Sendable {
        package let start: Date
        /// The hub through which it was sent; nil: the store is younger than the start, and does not know.
        package let sentThrough: HubIdentity?
    }

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

        /// What a call does only once, however it ends: an occurrence, or the fallbacks that follow a run.
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

    /// Looks up what is due; the store notes since when it knows the schedule.
    ///
    /// The store does not tell whether a process works on the campaign at this moment. If one does, none of this counts.
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
        let starts = try await Self.starts(of: campaign, at: hub, in: ledger, now: now)
        let occurrence = starts.due.map(Occurrence.scheduled)
        missed = starts.missed
        let next = try await NextStart(of: campaign, at: hub, in: ledger, now: now)
        nextStart = next.flatMap { $0.stays ? $0.date : nil }
        unfinished = try await ledger.unfinished(campaign: campaign.name, at: hub)
        waiting = unfinished.filter(\.waitsForPerson)
        expired = unfinished.filter {
            $0.state == .staging && $0.occurrence.fallbackOf != nil && $0.expires <= now
        }
        // The run that was begun first goes on first.
        var steps = unfinished.reversed().filter { $0.goesOn(at: now, due: occurrence) }
            .map(Step.proceed)
        // A run that waits for a person holds back fallbacks, too.
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

    /// The start that is due, or the one that is not sent since it may have been sent with another store.
    private static func starts(
        of campaign: Campaign, at hub: HubIdentity, in ledger: any RunLedger & ScheduleLedger,
        now: Date
    ) async throws -> (due: Date?, missed: Missed?) {
        guard let schedule = campaign.schedule else { return (nil, nil) }
        let birth = try await ledger.began(now: now)
        // Even if something keeps it from being sent, the store knows the schedule from here on.
        let sight = try await ledger.firstSight(
            of: schedule.description, campaign: campaign.name, at: hub, now: now
        ).startOfMinute
        if let due = schedule.due(at: now, knownSince: sight) { return (due, nil) }
        guard case .at = schedule.times,
            let start = schedule.due(at: now, knownSince: .distantPast)
        else { return (nil, nil) }
        // The start passed before the schedule was seen, as when a file was changed after its campaign was sent.
        let sendings = Sendings(of: campaign.name, at: hub, in: ledger)
        var search = RunSearch(of: campaign.name, at: nil)
        search.occurrence = .scheduled(start)
        let sent = try await ledger.runs(search)
        guard try await sendings.lastStaged(startedFrom: start) == nil,
            !sent.contains(where: { $0.hub == hub })
        else { return (nil, nil) }
        if let other = sent.first { return (nil, Missed(start: start, sentThrough: other.hub)) }
        return birth <= start ? (start, nil) : (nil, Missed(start: start, sentThrough: nil))
    }
}

extension Date {
    fileprivate var startOfMinute: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 / 60).rounded(.down) * 60)
    }
}

extension DueWork {
    /// Ends the runs in ``expired``, of which nothing was sent.
    ///
    /// - Parameters:
    ///   - ledger: where runs are kept.
    ///   - lock: what keeps other processes away; while another one works on the campaign, nothing is done.
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
            // Only a state that is read with the lock held is certain.
            guard let found = try await ledger.run(run.id), found.state == .staging else {
                continue
            }
            try await ledger.clearStaging(run.id)
            try await ledger.setState(.finished, reason: nil, of: run.id, at: now)
        }
    }
}

extension RunRecord {
    /// Whether it goes on only when a person says so.
    ///
    /// Of a run that an older version paused, the cause is not known: it waits.
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
    ///   - due: the occurrence that is due; nil: no occurrence is due.
    fileprivate func goesOn(at now: Date, due: Occurrence?) -> Bool {
        switch state {
        case .stopped, .finished: false
        case .paused: pause == .passing
        case .running: true
        case .waiting: resumes.map { $0 <= now } ?? true
        case .staging:
            // Nothing of it was sent. A scheduled occurrence is begun anew only while it is due, like one that was missed. A rest,
            // or a run by a plan, is staged only when a person asks for it again.
            occurrence.scheduled != nil
                ? occurrence == due
                : plan == nil && !occurrence.isRest && occurrence.fallbackOf == nil
        }
    }
}
