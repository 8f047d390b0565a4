import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import Storage

/// Where to find people of earlier runs that an audience names or excludes.
enum EarlierRuns: Sendable {
    /// Nowhere: the check opens no store, and says what it skipped.
    case unread
    /// In an open store, in runs at a hub; nil: there is no store yet.
    case kept((any RunLedger)?, at: HubIdentity)
    /// In the settings' store, in runs at the settings' hub, if that is known without asking it.
    ///
    /// The store is opened for reading, and only if a campaign needs it.
    case keptBy(EffectiveSettings, HubCaller)

    /// How many runs are looked through for a similar name, the newest first.
    private static let mostLookedAt = 1_000

    var areRead: Bool { if case .unread = self { false } else { true } }

    /// The ledger that knows who was forgotten.
    ///
    /// nil if no store is opened or exists, or an earlier version made it, which forgot nobody.
    func ledger() async throws -> (any RunLedger)? {
        switch self {
        case .unread: return nil
        case .kept(let ledger, _): return ledger
        case .keptBy(let settings, _):
            do {
                return try await settings.store.openForReading(
                    try await settings.lookingOptions(), isBroughtUpToDate: false)
            } catch StoreError.notFound, StoreError.olderVersion {
                return nil
            }
        }
    }

    /// What an audience takes from earlier runs.
    struct Found {
        var named: [PeopleOfRun] = []
        var excluded: [PeopleOfRun] = []
        /// A remark for each optional exclusion without a run.
        var unknown: [PreviewRemark] = []
    }

    /// The people that a campaign names, and those it excludes; empty if not looked up.
    ///
    /// - Parameters:
    ///   - folder: campaign files there are offered for a misspelt name.
    ///   - isFallback: a fallback goes to people of the campaign's own last run, so excluding them
    ///   does not count.
    func people(
        for campaign: Campaign, in folder: String, isFallback: Bool, command: CommandForm
    ) async throws -> Found {
        let rule = campaign.audience
        let excluded = rule.excludedRuns.filter { !(isFallback && $0.campaign == campaign.name) }
        guard !rule.runs.isEmpty || !excluded.isEmpty else { return Found() }
        let (hub, ledger): (HubIdentity, (any RunLedger)?)
        switch self {
        case .unread: return Found()
        case .kept(let kept, let place): (hub, ledger) = (place, kept)
        case .keptBy(let settings, let program):
            guard let place = try settings.hub?.identity(for: program) else {
                throw OperationFault.noHubForRuns(campaign: campaign.name)
            }
            (hub, ledger) = (place, try await settings.store.openAsItIs())
        }
        for selection in excluded {
            guard let ledger,
                let run = try await PeopleOfRun.unsettled(
                    selection, for: campaign.name, at: hub, in: ledger)
            else { continue }
            throw OperationFault.unfinishedRunForAudience(
                run, campaign: campaign.name, command: command)
        }
        var found = Found()
        for (selection, isExclusion) in rule.runs.map({ ($0, false) })
            + excluded.map({ ($0, true) })
        {
            let people = try await people(
                of: selection, for: campaign, at: hub, in: ledger, isExclusion: isExclusion)
            if isExclusion { found.excluded += people } else { found.named += people }
            guard people.isEmpty else { continue }
            let other = selection.campaign
            let near = try await nearest(to: other, in: folder, ledger)
            guard selection.isOptional else {
                throw OperationFault.noRunForAudience(
                    of: other, campaign: campaign.name, hub: hub, isExclusion: isExclusion,
                    near: near)
            }
            found.unknown.append(.unknownRun(of: other, near: near))
        }
        return found
    }

    /// A campaign of the store, or of a file, with a similar name; nil if one has this name.
    private func nearest(
        to name: String, in folder: String, _ ledger: (any RunLedger)?
    ) async throws -> String? {
        let sent = try await ledger?.runs(campaign: nil, limit: Self.mostLookedAt) ?? []
        let known = Set(sent.map(\.campaign) + NearbyCampaigns.names(in: folder)).sorted()
        return known.contains(name) ? nil : NearestName.nearest(to: name, among: known)
    }

    /// Earlier turns in a campaign with a local time, which come once a day at most.
    ///
    /// None if they do not count, no store is opened or the hub is unknown.
    func turns(of campaign: Campaign, at now: Date) async throws -> EarlierTurns {
        guard campaign.turns?.localTime != nil, let ledger = try await ledger() else {
            return .none
        }
        let hub: HubIdentity? =
            switch self {
            case .unread: nil
            case .kept(_, let hub): hub
            case .keptBy(let settings, let program): try settings.hub?.identity(for: program)
            }
        guard let hub else { return .none }
        return try await EarlierTurns(
            of: campaign.name, at: hub, in: ledger, before: now)
    }

    private func people(
        of selection: RunSelection, for campaign: Campaign, at hub: HubIdentity,
        in ledger: (any RunLedger)?, isExclusion: Bool
    ) async throws -> [PeopleOfRun] {
        guard let ledger else { return [] }
        let found =
            isExclusion
            ? try await PeopleOfRun.all(selection, at: hub, in: ledger)
            : try await PeopleOfRun.last(selection, at: hub, in: ledger).map { [$0] } ?? []
        for people in found {
            guard let time = try await ledger.run(people.run)?.deliveriesDeleted else { continue }
            throw OperationFault.forgottenRunForAudience(
                of: selection.campaign, campaign: campaign.name, people.run, deleted: time)
        }
        return found
    }
}
