import CampaignCore
import CampaignFormat
import Delivery
import Foundation

/// Finds what is unusual about a campaign.
struct PreviewRemarks {
    /// The percentages at which differences, exclusions, duplicates and gaps become unusual.
    private static let (difference, exclusion, repeats, gap) = (10, 25, 10, 1)
    /// A body of at least this percentage of the platform's limit is almost too large.
    private static let fullness = 95
    private static let mostStrangers = 5

    let campaign: Campaign
    let plan: CampaignPlan
    /// Whether the whole campaign is previewed, rather than a rehearsal or a follow-up run.
    let isWhole: Bool
    let outlook: PreviewOutlook
    /// The earlier runs; nil if they are unknown, or irrelevant, as for a rehearsal.
    let history: PreviewHistory?
    var files: [PreviewRemark] = []
    let hub: HubIdentity?

    /// The remarks, most important first.
    var list: [PreviewRemark] {
        changes
            + (isWhole
                ? comparison + skippedRows + files + caps + late + silentBudgetUsed + people
                    + languages + values
                    + sizes
                : caps + late + sizes)
    }

    private var changes: [PreviewRemark] {
        guard let run = outlook.run, !outlook.changed.isEmpty else { return [] }
        let isFinished = outlook.action == .nothing && run.state == .finished
        return [.changedSince(run.id, keys: outlook.changed, isFinished: isFinished)]
    }

    private var comparison: [PreviewRemark] {
        guard let history else { return [] }
        if history.isFirst, outlook.action == .begin, let hub { return [.firstSending(hub: hub)] }
        guard let last = history.last else { return [] }
        let run = PreviewRemark.EarlierRun(id: last.id, started: last.started)
        let difference = plan.counts.final - last.counts.final
        guard abs(difference) * 100 >= last.counts.final * Self.difference, difference != 0 else {
            return []
        }
        return difference < 0
            ? [.fewerPeople(by: -difference, than: run)] : [.morePeople(by: difference, than: run)]
    }

    private var skippedRows: [PreviewRemark] {
        plan.skippedRows > 0 ? [.skippedRows(plan.skippedRows)] : []
    }

    private var caps: [PreviewRemark] {
        guard let capped = outlook.capped, capped > 0, let cap = campaign.delivery.frequencyCap
        else { return [] }
        return [.capped(capped, of: outlook.deliveries ?? plan.deliveries, cap: cap)]
    }

    private var silentBudgetUsed: [PreviewRemark] {
        guard let silentBudgetUsed = history?.silentBudgetUsed, silentBudgetUsed > 0,
            outlook.action == .begin
        else { return [] }
        return [.silentBudgetUsed(silentBudgetUsed, of: plan.counts.final)]
    }

    private var late: [PreviewRemark] {
        guard outlook.plansWaves else { return [] }
        let late = plan.waves.filter(\.isTooLate).reduce(0) { $0 + $1.recipients }
        return late == 0 ? [] : [.waveTooLate(late, of: plan.counts.final)]
    }

    private var people: [PreviewRemark] {
        var remarks: [PreviewRemark] = []
        let counts = plan.counts
        let different = counts.named - counts.duplicate
        let isMuch = counts.excluded * 100 >= different * Self.exclusion && counts.excluded > 0
        let last = history?.last?.counts.excluded
        let isMore = last.map { before in
            counts.excluded > 2 * before
                && (counts.excluded - before) * 100 >= different * Self.difference
        }
        // A large share is unusual only if it was smaller last time.
        if isMore ?? isMuch {
            remarks.append(.manyExcluded(counts.excluded, of: different, last: last))
        }
        if counts.duplicate * 100 >= counts.named * Self.repeats, counts.duplicate > 1 {
            remarks.append(.manyDuplicates(counts.duplicate, of: counts.named))
        }
        return remarks
    }

    private var languages: [PreviewRemark] {
        let unused = plan.languages.compactMap { group -> PreviewRemark? in
            guard let language = group.language, group.recipients == 0 else { return nil }
            return .unusedLanguage(language, texts: keys(in: language))
        }
        // The most frequent language without its own text, with all its regions, is assumed to be
        // the language of `default`.
        let strangers = plan.makeup.strangers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let assumed = strangers.first?.key.prefixes.last
        return unused
            + strangers.filter { $0.key.prefixes.last != assumed }.prefix(Self.mostStrangers).map {
                .missingLanguage($0.key, people: $0.value)
            }
    }

    /// The keys whose texts include a language.
    private func keys(in language: LanguageTag) -> [String] {
        let payload = campaign.payload
        let own = Platform.allCases.flatMap { platform in
            TextKey.all.map { ("\(platform).\($0.rawValue)", payload.platformTexts[platform]?[$0]) }
        }
        let texts =
            TextKey.fetched.map { ($0.rawValue, payload.texts[$0]) }
            + [("text", payload.contentText), ("placeholder", payload.texts.placeholder)] + own
        return texts.filter { $0.1?.languages.contains(language) ?? false }.map(\.0)
    }

    private var values: [PreviewRemark] {
        campaign.payload.variables.compactMap { variable in
            guard let people = plan.makeup.withoutValue[variable],
                people * 100 >= plan.counts.final * Self.gap
            else { return nil }
            let defaults = campaign.payload.defaults(of: variable)
            return .defaultRead(
                variable: variable, people: people, of: plan.counts.final,
                text: defaults.count == 1 ? defaults.first : nil)
        }
    }

    private var sizes: [PreviewRemark] {
        plan.platforms.compactMap { platform in
            guard platform.worstBytes * 100 >= platform.limit * Self.fullness else { return nil }
            return .almostFull(
                platform.platform, bytes: platform.worstBytes, limit: platform.limit)
        }
    }
}

extension LoadedCampaign {
    func remarks(on plan: CampaignPlan) -> [PreviewRemark] {
        exclusions(plan.unmatchedExclusions).map {
            .unmatchedExclusion($0.exclusion, people: $0.people)
        }
            + plan.unusualRows.map { .unusualRows($0, in: path(of: $0.first)) }
    }
}
