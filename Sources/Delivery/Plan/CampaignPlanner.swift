package import CampaignCore
package import FoundationEssentials

/// Finds out what a campaign would send, and what forbids sending it.
package struct CampaignPlanner: Sendable {
    private static let batch = 5_000
    private static let mostConflicts = 20

    private let zones: (any TimeZoneDatabase)?
    private let ledger: (any RunHistory)?
    private let observe: @Sendable (AudienceProgress) -> Void

    /// - Parameters:
    ///   - zones: nil: nobody has a time zone of their own.
    ///   - ledger: knows who was forgotten: they are left out; nil: nobody was.
    ///   - observe: called every few thousand people; must return at once.
    package init(
        zones: (any TimeZoneDatabase)? = nil, ledger: (any RunHistory)?,
        observe: @escaping @Sendable (AudienceProgress) -> Void = { _ in }
    ) {
        self.zones = zones
        self.ledger = ledger
        self.observe = observe
    }

    /// Streams the audience into the sorter and judges it.
    ///
    /// - Parameters:
    ///   - sorter: an unused one; the result refers to it.
    ///   - choice: for a fallback, the least number of recipients counts people the audience names.
    ///   - visit: gets all recipients in name order; nil: only those that must be checked are read.
    package func plan(
        _ campaign: Campaign, audience: any AudienceSource, sorter: any AudienceSorter,
        including earlier: [PeopleOfRun] = [], excluding excluded: [PeopleOfRun] = [],
        for choice: PeopleChoice = .all,
        besides earlierTurns: EarlierTurns = .none,
        visit: (([AudienceMember]) -> Void)? = nil, now: Date
    ) async throws -> PlannedAudience {
        var isForNobody = false
        if case .rest(let rest) = choice {
            isForNobody = try await !keep(rest, of: campaign, in: sorter)
        }
        var named = try await stream(.named, of: audience, into: sorter, after: 0)
        for people in earlier {
            named = try await stream(people, named) { try await add($0, to: sorter) }
        }
        var read = try await stream(.excluded, of: audience, into: sorter, after: named)
        for people in excluded { read = try await stream(people, read, sorter.exclude) }
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
        var rest: RestOfRun?
        if case .rest(let some) = choice {
            rest = some
            recipients = try await count(some, among: people)
        }
        var faults = isForNobody ? [] : judge(counts, by: campaign.audience, of: choice)
        faults += try await sorter.caseConflicts(limit: Self.mostConflicts)
            .map(AudienceFault.caseConflict)
        let (survey, makeup) = try await survey(campaign, people, visit: visit, now: now)
        let turns = try await turns(of: campaign, for: choice, in: sorter)
        let plan = CampaignPlan(
            counts: counts, faults: faults + survey.faults,
            platforms: survey.platforms(for: recipients),
            rate: campaign.delivery.rate, recipientsPerPush: campaign.delivery.recipientsPerPush,
            languages: survey.languages,
            valueConflicts: await sorter.valueConflicts(),
            unmatchedExclusions: await sorter.unmatchedExclusions(),
            unusualRows: audience.unusualRows, skippedRows: audience.skippedRowCount,
            makeup: makeup,
            waves: turns.map { waves($0, of: campaign, besides: earlierTurns, now: now) } ?? [])
        return PlannedAudience(plan: plan, people: people, rest: rest, turns: turns)
    }

    /// nil if everybody's turn is at once, as in a rehearsal.
    private func turns(
        of campaign: Campaign, for choice: PeopleChoice, in sorter: any AudienceSorter
    ) async throws -> AudienceTurns? {
        if case .rehearsal = choice { return nil }
        guard let rule = campaign.turns else { return nil }
        return try await AudienceTurns(rule, of: sorter, in: zones)
    }

    private func waves(
        _ turns: AudienceTurns, of campaign: Campaign, besides earlier: EarlierTurns, now: Date
    ) -> [PlannedWave] {
        let expires = now.addingTimeInterval(campaign.payload.expiresAfter / .seconds(1))
        let late = now.addingTimeInterval(campaign.delivery.finishWithin / .seconds(1))
        let groups = turns.groups(
            from: AudienceTurns.start(at: now), through: expires, besides: earlier)
        return turns.planned(groups, before: min(expires, late))
    }

    /// Keeps only people of a rest on the campaign's platforms; false if there are none.
    private func keep(
        _ rest: RestOfRun, of campaign: Campaign, in sorter: any AudienceSorter
    ) async throws -> Bool {
        try await sorter.keep([])
        var walk = rest.walk()
        var isAnybodyLeft = false
        while true {
            let page = try await walk.page()
            if page.isEmpty { return isAnybodyLeft }
            let reached = page.filter { !$0.platforms.isDisjoint(with: campaign.platforms) }
            if !reached.isEmpty { isAnybodyLeft = true }
            try await sorter.keep(reached.map(\.username))
        }
    }

    private func count(
        _ rest: RestOfRun, among people: any AudiencePages
    ) async throws -> [Platform: Int] {
        var counts: [Platform: Int] = [:]
        var walk = rest.walk()
        try await forEachPage(of: people) { members in
            for member in members {
                for platform in try await walk.platforms(of: member.username) {
                    counts[platform, default: 0] += 1
                }
            }
            return true
        }
        return counts
    }

    private func cast(
        _ rehearsal: Rehearsal, in sorter: any AudienceSorter, for payload: Payload
    ) async throws -> RehearsalCast {
        var members: [Username: AudienceMember] = [:]
        try await forEachPage(of: sorter) { page in
            for member in page { members[member.username] = member }
            return true
        }
        let gone = try await ledger?.forgotten(among: rehearsal.people) ?? []
        let known = Rehearsal(
            people: rehearsal.people, testers: rehearsal.testers.subtracting(gone),
            model: rehearsal.model)
        return try known.cast(among: members, for: payload)
    }

    /// Streams one part of the audience; returns the names read so far.
    private func stream(
        _ part: AudiencePart, of audience: any AudienceSource, into sorter: any AudienceSorter,
        after before: Int
    ) async throws -> Int {
        var reader = try audience.reader(of: part)
        var read = before
        while true {
            try Task.checkCancellation()
            observe(.reading(read))
            let members = try reader.next(Self.batch)
            if members.isEmpty { return read }
            switch part {
            case .named: try await add(members, to: sorter)
            case .excluded: try await sorter.exclude(members)
            }
            read += members.count
        }
    }

    /// Adds people; excludes those who were forgotten.
    private func add(_ members: [AudienceMember], to sorter: any AudienceSorter) async throws {
        try await sorter.add(members)
        let gone = try await ledger?.forgotten(among: members.map(\.username)) ?? []
        guard !gone.isEmpty else { return }
        try await sorter.exclude(members.filter { gone.contains($0.username) })
    }

    /// Hands over an earlier run's people; returns the names read so far.
    private func stream(
        _ people: PeopleOfRun, _ before: Int, _ handOver: ([AudienceMember]) async throws -> Void
    ) async throws -> Int {
        var read = before
        try await people.forEachPage { members in
            observe(.reading(read))
            try await handOver(members)
            read += members.count
        }
        return read
    }

    private func judge(
        _ counts: AudienceCounts, by rule: AudienceRule, of choice: PeopleChoice
    ) -> [AudienceFault] {
        switch choice {
        case .all:
            if counts.final == 0 { return [.empty(excluded: counts.excluded)] }
            if counts.final < rule.minimum {
                return [.tooFew(final: counts.final, minimum: rule.minimum)]
            }
        case .rest(let rest) where rest.isFallback:
            // A fallback starts by itself, and only once. An export that is briefly empty or cut
            // short must not use it up or choose its people.
            let named = counts.named - counts.duplicate
            if named == 0 { return [.empty(excluded: 0)] }
            if named < rule.minimum { return [.tooFew(final: named, minimum: rule.minimum)] }
        case .rehearsal, .rest:
            // A rehearsal may be small; a rest may be empty, and then there is nothing to do.
            break
        }
        if let maximum = rule.maximum, counts.final > maximum {
            return [.tooMany(final: counts.final, maximum: maximum)]
        }
        return []
    }

    private func survey(
        _ campaign: Campaign, _ people: any AudiencePages,
        visit: (([AudienceMember]) -> Void)?, now: Date
    ) async throws -> (RecipientSurvey, AudienceMakeup) {
        var survey = RecipientSurvey(campaign, now: now)
        var makeup = AudienceMakeup(campaign.payload)
        // No fallback follows a rehearsal.
        var fallback = try people is RehearsalCast ? nil : FallbackSurvey(campaign, now: now)
        let isVaried = campaign.payload.isPersonal || !campaign.payload.languages.isEmpty
        if !isVaried {
            let first = try await people.page(
                after: 0, limit: campaign.delivery.recipientsPerPush)
            try survey.visitShared(by: first)
        }
        if isVaried || visit != nil || fallback?.needsMore == true {
            try await forEachPage(of: people) { members in
                visit?(members)
                if isVaried {
                    for member in members where !survey.isFull {
                        try survey.visit(member)
                        makeup.visit(member)
                    }
                }
                try fallback?.visit(members)
                return visit != nil || isVaried && !survey.isFull || fallback?.needsMore == true
            }
            // The size is checked even if nobody gets the campaign.
            if !campaign.payload.isPersonal, survey.isEmpty { try survey.visitShared(by: []) }
        }
        if let fallback { survey.add(fallback) }
        return (survey, makeup)
    }

    /// Hands over the recipients page by page, until `visit` returns false or none are left.
    private func forEachPage(
        of people: any AudiencePages, visit: ([AudienceMember]) async throws -> Bool
    ) async throws {
        var last = 0
        while true {
            try Task.checkCancellation()
            let members = try await people.page(after: last, limit: Self.batch)
            last += members.count
            guard !members.isEmpty, try await visit(members) else { return }
        }
    }
}

package enum PeopleChoice: Sendable {
    case all
    case rehearsal(Rehearsal)
    case rest(RestOfRun)
}

/// Progress of an audience from its files into the store, before sending.
package enum AudienceProgress: Hashable, Sendable {
    /// Names read so far, including excluded ones.
    case reading(Int)
    case sorting(Int)
    case staging(Int, of: Int)
    /// The hub was asked about the first number of people, for a preview.
    case asking(Int, of: Int)
}
