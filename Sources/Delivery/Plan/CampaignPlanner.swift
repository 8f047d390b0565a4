package import CampaignCore
package import FoundationEssentials

/// Finds out what a campaign would send, and what prevents sending it.
package struct CampaignPlanner: Sendable {
    /// How many people are read and held in memory at once.
    static let batch = 5_000
    private static let mostConflicts = 20

    private let zones: (any TimeZoneDatabase)?
    private let ledger: (any RunHistory)?
    private let observe: @Sendable (AudienceProgress) -> Void

    /// - Parameters:
    ///   - zones: nil if time zones are not allowed.
    ///   - ledger: knows the forgotten people, who are excluded; nil if nobody was forgotten.
    ///   - observe: called every few thousand people; must return immediately.
    package init(
        zones: (any TimeZoneDatabase)? = nil, ledger: (any RunHistory)?,
        observe: @escaping @Sendable (AudienceProgress) -> Void = { _ in }
    ) {
        self.zones = zones
        self.ledger = ledger
        self.observe = observe
    }

    /// Streams the audience into the sorter and checks it.
    ///
    /// - Parameters:
    ///   - sorter: must be unused; the result refers to it.
    ///   - choice: if this is a fallback, the minimum number of recipients applies to the whole
    ///     audience.
    ///   - earlierSendTimes: the result of
    ///     ``CampaignCore/RunHistory/earlierSendTimes(of:at:before:)``, if it matters.
    ///   - visit: receives all recipients in name order; if nil, only people who must be checked
    ///     are read.
    package func plan(
        _ campaign: Campaign, audience: any AudienceSource, sorter: any AudienceSorter,
        including earlier: [PeopleOfRun] = [], excluding excluded: [PeopleOfRun] = [],
        for choice: PeopleChoice = .all,
        besides earlierSendTimes: [String: [Int]] = [:],
        visit: (([AudienceMember]) -> Void)? = nil, now: Date
    ) async throws -> PlannedAudience {
        let unreached: UnreachedPeople? = if case .followUp(let some) = choice { some } else { nil }
        var isForNobody = false
        if let unreached { isForNobody = try await !keep(unreached, of: campaign, in: sorter) }
        let named = try await stream(.named, of: audience, and: earlier, after: 0) {
            try await add($0, to: sorter)
        }
        let read = try await stream(
            .excluded, of: audience, and: excluded, after: named, to: sorter.exclude)
        observe(.sorting(read))
        var people: any AudiencePages = sorter
        var counts: AudienceCounts
        if case .rehearsal(let rehearsal) = choice {
            counts = try await sorter.settle(only: rehearsal.sought)
            let cast = try await cast(rehearsal, in: sorter, for: campaign.payload)
            counts.final = cast.members.count
            people = cast
        } else {
            counts = try await sorter.settle(only: nil)
        }
        var recipients = Dictionary(
            uniqueKeysWithValues: campaign.platforms.map { ($0, counts.final) })
        if let unreached { recipients = try await count(unreached, among: people) }
        var problems = isForNobody ? [] : judge(counts, by: campaign.audience, of: choice)
        problems += try await sorter.caseConflicts(limit: Self.mostConflicts)
            .map(AudienceProblem.caseConflict)
        let survey = try await survey(campaign, people, problems: &problems, visit: visit, now: now)
        // In a rehearsal, everybody is sent to at once.
        var windows: AudienceWindows?
        if let rule = campaign.sendTimes, !(people is RehearsalCast) {
            windows = try await AudienceWindows(rule, of: sorter, in: zones)
        }
        let plan = CampaignPlan(
            counts: counts, problems: problems,
            platforms: survey.platforms(for: recipients),
            rate: campaign.delivery.rate, recipientsPerPush: campaign.delivery.recipientsPerPush,
            languages: survey.languages,
            valueConflicts: await sorter.valueConflicts(),
            unmatchedExclusions: await sorter.unmatchedExclusions(),
            unusualRows: audience.unusualRows, skippedRows: audience.skippedRowCount,
            makeup: survey.makeup,
            waves: windows.map { waves($0, of: campaign, besides: earlierSendTimes, now: now) }
                ?? [])
        return PlannedAudience(plan: plan, people: people, unreached: unreached, windows: windows)
    }

    private func waves(
        _ windows: AudienceWindows, of campaign: Campaign, besides earlier: [String: [Int]],
        now: Date
    ) -> [PlannedWave] {
        let expires = now.addingTimeInterval(campaign.payload.expiresAfter / .seconds(1))
        let late = now.addingTimeInterval(campaign.delivery.finishWithin / .seconds(1))
        let groups = windows.groups(from: now.minute, through: expires, besides: earlier)
        return windows.planned(groups, before: min(expires, late))
    }

    /// Keeps only people of a follow-up run, on the campaign's platforms; returns false if nobody
    /// is left.
    private func keep(
        _ unreached: UnreachedPeople, of campaign: Campaign, in sorter: any AudienceSorter
    ) async throws -> Bool {
        try await sorter.keep([])
        var walk = unreached.walk()
        var isAnybodyLeft = false
        while let page = try await walk.page() {
            let reached = page.filter { !$0.platforms.isDisjoint(with: campaign.platforms) }
            if !reached.isEmpty { isAnybodyLeft = true }
            try await sorter.keep(reached.map(\.username))
        }
        return isAnybodyLeft
    }

    private func count(
        _ unreached: UnreachedPeople, among people: any AudiencePages
    ) async throws -> [Platform: Int] {
        var counts: [Platform: Int] = [:]
        var walk = unreached.walk()
        try await people.forEachPage { members in
            for member in members {
                let found = try await walk.person(named: member.username)
                for platform in found?.platforms ?? [] { counts[platform, default: 0] += 1 }
            }
            return true
        }
        return counts
    }

    private func cast(
        _ rehearsal: Rehearsal, in sorter: any AudienceSorter, for payload: Payload
    ) async throws -> RehearsalCast {
        var members: [Username: AudienceMember] = [:]
        try await sorter.forEachPage { page in
            for member in page { members[member.username] = member }
            return true
        }
        var known = rehearsal
        known.testers.subtract(try await ledger?.forgotten(among: rehearsal.people) ?? [])
        return try known.cast(among: members, for: payload)
    }

    /// Reads part of the audience, then people of earlier runs; returns the number of names read so
    /// far.
    private func stream(
        _ part: AudiencePart, of audience: any AudienceSource, and earlier: [PeopleOfRun],
        after before: Int, to handOver: ([AudienceMember]) async throws -> Void
    ) async throws -> Int {
        var read = before
        var reader = try audience.reader(of: part)
        while true {
            try Task.checkCancellation()
            observe(.reading(read))
            let members = try reader.next(Self.batch)
            if members.isEmpty { break }
            try await handOver(members)
            read += members.count
        }
        for people in earlier {
            var walk = people.walk()
            while let page = try await walk.page() {
                guard !page.isEmpty else { continue }
                observe(.reading(read))
                try await handOver(page.map(people.member))
                read += page.count
            }
        }
        return read
    }

    /// Adds people, and excludes those who were forgotten.
    private func add(_ members: [AudienceMember], to sorter: any AudienceSorter) async throws {
        try await sorter.add(members)
        let gone = try await ledger?.forgotten(among: members.map(\.username)) ?? []
        guard !gone.isEmpty else { return }
        try await sorter.exclude(members.filter { gone.contains($0.username) })
    }

    private func judge(
        _ counts: AudienceCounts, by rule: AudienceRule, of choice: PeopleChoice
    ) -> [AudienceProblem] {
        switch choice {
        case .all:
            if counts.final == 0 { return [.empty(excluded: counts.excluded)] }
            if counts.final < rule.minimum {
                return [.tooFew(final: counts.final, minimum: rule.minimum)]
            }
        case .followUp(let unreached) where unreached.isFallback:
            // A fallback starts automatically and only once. An export that happens to be empty or
            // truncated must not use up the fallback or reduce the number of people that it
            // reaches.
            let named = counts.named - counts.duplicate
            if named == 0 { return [.empty(excluded: 0)] }
            if named < rule.minimum { return [.tooFew(final: named, minimum: rule.minimum)] }
        case .rehearsal, .followUp:
            // A rehearsal may be small. A follow-up run may be empty, in which case there is
            // nothing to do.
            break
        }
        if let maximum = rule.maximum, counts.final > maximum {
            return [.tooMany(final: counts.final, maximum: maximum)]
        }
        return []
    }

    /// Checks the campaign's pushes and those of its fallback, which can no longer be fixed once it
    /// is due.
    private func survey(
        _ campaign: Campaign, _ people: any AudiencePages, problems: inout [AudienceProblem],
        visit: (([AudienceMember]) -> Void)?, now: Date
    ) async throws -> RecipientSurvey {
        var survey = RecipientSurvey(campaign, now: now)
        // No fallback follows a rehearsal.
        var fallback =
            people is RehearsalCast
            ? nil
            : campaign.ofFallback(
                on: campaign.platforms, expiringAfter: campaign.payload.expiresAfter
            ).map { RecipientSurvey($0, columns: campaign.variables, now: now) }
        if visit != nil || survey.needsMore || fallback?.needsMore == true {
            try await people.forEachPage { members in
                visit?(members)
                try survey.visit(members)
                try fallback?.visit(members)
                return visit != nil || survey.needsMore || fallback?.needsMore == true
            }
        }
        try survey.finish()
        try fallback?.finish()
        let own = survey.problems
        let others = fallback?.problems.filter { !own.contains($0) } ?? []
        problems += own + others.map(AudienceProblem.inFallback)
        return survey
    }
}

extension AudiencePages {
    /// Visits the recipients page by page, until `visit` returns false or nobody is left.
    func forEachPage(_ visit: ([AudienceMember]) async throws -> Bool) async throws {
        var last = 0
        while true {
            try Task.checkCancellation()
            let members = try await page(after: last, limit: CampaignPlanner.batch)
            last += members.count
            guard !members.isEmpty, try await visit(members) else { return }
        }
    }
}

package enum PeopleChoice: Sendable {
    case all
    case rehearsal(Rehearsal)
    case followUp(UnreachedPeople)
}

/// The progress of reading an audience and storing it before sending.
package enum AudienceProgress: Hashable, Sendable {
    /// The number of names read so far, including excluded ones.
    case reading(Int)
    case sorting(Int)
    case staging(Int, of: Int)
    /// For a preview, how many people have been looked up at the hub, and how many there are.
    case asking(Int, of: Int)
}
