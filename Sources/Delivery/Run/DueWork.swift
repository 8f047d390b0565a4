package import CampaignCore
package import FoundationEssentials

package struct DueWork: Sendable {
    /// The steps to take, in order.
    package let steps: [Step]
    /// Runs that wait for a person, newest first.
    ///
    /// They hold back new runs; otherwise, a push that was wrong or stopped would be sent with the
    /// next occurrence. Other runs continue.
    package let waiting: [RunRecord]
    /// All unfinished runs, including ``waiting``.
    package let unfinished: [RunRecord]
    /// Fallbacks that were never staged and whose run has expired.
    package let expired: [RunRecord]
    /// Runs whose fallback is not sent because nobody has fetched anything; each causes a warning.
    package let unfetched: [RunRecord]
    /// A start at the time in `at` that is not sent because it may already have been sent.
    package let missed: Missed?
    /// The next start; nil if no start follows, or if it was sent early.
    package let nextStart: Date?

    package struct Missed: Hashable, Sendable {
        package let start: Date
        /// The hub through which it was sent; nil if the store is newer than the start and cannot
        /// tell.
        package let sentThrough: HubIdentity?
    }

    package enum Step: Hashable, Sendable {
        /// Continues an interrupted run, or a run with a due wave.
        case proceed(RunRecord)
        case begin(Occurrence)
        case fallBack(RunRecord)

        package var mode: RunRequest.Mode {
            switch self {
            case .proceed(let run): .occurrence(run.occurrence)
            case .begin(let occurrence): .occurrence(occurrence)
            case .fallBack(let parent): .fallback(of: parent)
            }
        }

        /// Identifies the step, so that one call tries each step only once.
        package var subject: Occurrence {
            switch self {
            case .proceed(let run):
                run.occurrence.fallbackOf.map { .fallback(of: $0, number: 0) } ?? run.occurrence
            case .begin(let occurrence): occurrence
            case .fallBack(let parent): .fallback(of: parent.id, number: 0)
            }
        }
    }

    /// Finds what is due; the store records when it first saw the schedule.
    ///
    /// The store does not show whether a process is working on the campaign; if one is, the result
    /// does not apply.
    package init(
        of campaign: Campaign, at hub: HubIdentity, in ledger: any RunHistory & ScheduleLedger,
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
        // The earliest run comes first.
        var steps = unfinished.reversed().filter { $0.continues(at: now, due: occurrence) }
            .map(Step.proceed)
        // A run that waits for a person also holds back fallbacks.
        let fallbacks =
            waiting.isEmpty
            ? try await DueFallbacks(of: campaign, at: hub, in: ledger, now: now) : nil
        steps += fallbacks?.due.map(Step.fallBack) ?? []
        unfetched = fallbacks?.unfetched ?? []
        if let occurrence, waiting.isEmpty,
            try await ledger.run(hub: hub, campaign: campaign.name, occurrence: occurrence) == nil
        {
            steps.append(.begin(occurrence))
        }
        self.steps = steps
    }

    /// The due start, or a start that may have been sent with another store.
    private static func starts(
        of campaign: Campaign, at hub: HubIdentity, in ledger: any RunHistory & ScheduleLedger,
        now: Date
    ) async throws -> (due: Date?, missed: Missed?) {
        guard let schedule = campaign.schedule else { return (nil, nil) }
        let birth = try await ledger.began(now: now)
        // From now on, the store knows the schedule, even if nothing is sent.
        let sight = try await ledger.firstSight(
            of: schedule.description, campaign: campaign.name, at: hub, now: now
        ).startOfMinute
        if let due = schedule.due(at: now, knownSince: sight) { return (due, nil) }
        guard case .at = schedule.times,
            let start = schedule.due(at: now, knownSince: .distantPast)
        else { return (nil, nil) }
        // The start passed before the schedule was first seen, for example because the file was
        // changed after sending.
        var search = RunSearch(of: campaign.name, at: nil)
        search.occurrence = .scheduled(start)
        // A crash may have interrupted the staging.
        search.states.remove(.staging)
        var sent: [RunRecord] = []
        for run in try await ledger.runs(search)
        where !run.isAtMissingHub(try await ledger.outcomes(run.id)) { sent.append(run) }
        guard try await ledger.lastStaged(of: campaign.name, at: hub, startedFrom: start) == nil,
            !sent.contains(where: { $0.hub == hub })
        else { return (nil, nil) }
        if let other = sent.first { return (nil, Missed(start: start, sentThrough: other.hub)) }
        return birth <= start ? (start, nil) : (nil, Missed(start: start, sentThrough: nil))
    }
}

extension Date {
    package var startOfMinute: Date { Date(timeIntervalSince1970: Double(minute)) }
    /// The start of the minute, in seconds since 1970.
    var minute: Int { Int((timeIntervalSince1970 / 60).rounded(.down)) * 60 }
}

extension DueWork {
    /// Ends the runs in ``expired``, unless another process is working on the campaign.
    package func endExpired(
        in ledger: any RunLedger, lock: any CampaignLock, at now: Date
    ) async throws {
        guard let campaign = expired.first?.campaign,
            let held = try await lock.acquire(campaign: campaign)
        else { return }
        defer { held.release() }
        for run in expired {
            // Only a state that is read while holding the lock is reliable.
            guard let found = try await ledger.run(run.id), found.state == .staging else {
                continue
            }
            try await ledger.clearStaging(run.id)
            try await ledger.setState(.finished, reason: nil, of: run.id, at: now)
        }
    }
}

extension RunRecord {
    /// Whether only a person can continue the run; true if an older version paused it.
    package var waitsForPerson: Bool {
        switch state {
        case .stopped: true
        case .paused: pause != .passing
        case .staging, .running, .waiting, .finished: false
        }
    }

    package var continuesByItself: Bool {
        switch state {
        case .running, .waiting: true
        case .paused: pause == .passing
        case .staging, .stopped, .finished: false
        }
    }

    /// Whether the run can continue now, provided that no process works on it.
    fileprivate func continues(at now: Date, due: Occurrence?) -> Bool {
        switch state {
        case .stopped, .finished, .paused, .running: continuesByItself
        case .waiting: resumes.map { $0 <= now } ?? true
        case .staging:
            // Nothing was sent. A scheduled occurrence starts again only while it is due. A
            // follow-up run or a run with a plan is staged again only if a person requests it.
            occurrence.scheduled != nil
                ? occurrence == due
                : plan == nil && !occurrence.isFollowUp && occurrence.fallbackOf == nil
        }
    }
}
