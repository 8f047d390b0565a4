package import CampaignCore
package import FoundationEssentials

/// Finds out what a campaign would do, and why it must not: preview shows it, run insists on it.
package struct CampaignPlanner: Sendable {
    private static let batch = 5_000
    private static let mostConflicts = 20

    package init() {}

    /// Streams the audience into the sorter and judges it.
    ///
    /// - Parameters:
    ///   - campaign: what to plan.
    ///   - audience: its people.
    ///   - sorter: an unused one; it holds the recipients afterwards, for staging.
    ///   - only: a rehearsal's people, for whom the least number of recipients does not count; nil for all.
    ///   - now: the time to compute lifetimes from.
    /// - Returns: the plan, with its faults.
    /// - Throws: ``NotInAudience``; what the audience's files and the sorter throw; `CancellationError` when the task
    ///   is cancelled while people are read.
    package func plan(
        _ campaign: Campaign, audience: any AudienceSource, sorter: any AudienceSorter,
        only: [Username]? = nil, now: Date
    ) async throws -> CampaignPlan {
        try await stream(.named, of: audience, into: sorter)
        try await stream(.excluded, of: audience, into: sorter)
        let counts = try await sorter.settle(only: only)
        if let only { try await check(only, in: sorter) }
        var faults = judge(counts, by: campaign.audience, isRehearsal: only != nil)
        faults += try await sorter.caseConflicts(limit: Self.mostConflicts)
            .map(AudienceFault.caseConflict)
        let survey = try await survey(campaign, in: sorter, now: now)
        return CampaignPlan(
            counts: counts, faults: faults + survey.faults, platforms: survey.platforms,
            rate: campaign.delivery.rate, recipientsPerPush: campaign.delivery.recipientsPerPush,
            valueConflicts: await sorter.valueConflicts())
    }

    private func stream(
        _ part: AudiencePart, of audience: any AudienceSource, into sorter: any AudienceSorter
    ) async throws {
        var reader = try audience.reader(of: part)
        while true {
            try Task.checkCancellation()
            let members = try reader.next(Self.batch)
            if members.isEmpty { return }
            switch part {
            case .named: try await sorter.add(members)
            case .excluded: try await sorter.exclude(members)
            }
        }
    }

    private func judge(
        _ counts: AudienceCounts, by rule: AudienceRule, isRehearsal: Bool
    ) -> [AudienceFault] {
        if counts.final == 0 { return [.empty(excluded: counts.excluded)] }
        if !isRehearsal, counts.final < rule.minimum {
            return [.tooFew(final: counts.final, minimum: rule.minimum)]
        }
        if let maximum = rule.maximum, counts.final > maximum {
            return [.tooMany(final: counts.final, maximum: maximum)]
        }
        return []
    }

    private func check(_ only: [Username], in sorter: any AudienceSorter) async throws {
        var present: Set<Username> = []
        try await forEachPage(of: sorter) { members in
            present.formUnion(members.map(\.username))
            return true
        }
        var seen: Set<Username> = []
        let absent = only.filter { !present.contains($0) && seen.insert($0).inserted }
        guard absent.isEmpty else { throw NotInAudience(usernames: absent) }
    }

    private func survey(
        _ campaign: Campaign, in sorter: any AudienceSorter, now: Date
    ) async throws -> RecipientSurvey {
        var survey = RecipientSurvey(campaign, now: now)
        guard campaign.payload.isPersonal else {
            let first = try await sorter.page(
                after: 0, limit: campaign.delivery.recipientsPerPush)
            try survey.visitShared(by: first)
            return survey
        }
        try await forEachPage(of: sorter) { members in
            for member in members where !survey.isFull { try survey.visit(member) }
            return !survey.isFull
        }
        return survey
    }

    /// Hands over the recipients page by page, until there are no more or `visit` says that it has seen enough.
    private func forEachPage(
        of sorter: any AudienceSorter, visit: ([AudienceMember]) throws -> Bool
    ) async throws {
        var last = 0
        while true {
            try Task.checkCancellation()
            let members = try await sorter.page(after: last, limit: Self.batch)
            last += members.count
            guard !members.isEmpty, try visit(members) else { return }
        }
    }
}
