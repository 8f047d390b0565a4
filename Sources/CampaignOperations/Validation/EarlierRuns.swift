import CampaignCore
import Delivery
import Foundation
import Settings
import Storage

/// Where the people of earlier runs that an audience names or leaves out are found.
enum EarlierRuns: Sendable {
    /// Nowhere: the check opens no store, and says what it did not look at.
    case unread
    /// In an open store, in runs at a hub; nil: there is no store yet.
    case kept((any RunLedger)?, at: HubIdentity)
    /// In the store of the settings, in runs at the settings' hub, if that hub is known without asking.
    ///
    /// The store is only read, and only for a campaign that needs it.
    case keptBy(EffectiveSettings, HubCaller)

    /// Whether the people of earlier runs are looked for.
    var areRead: Bool { if case .unread = self { false } else { true } }

    /// The ledger that knows who was forgotten.
    ///
    /// It is nil when no store is opened, when there is no store, and when the store is of an earlier version, which forgot nobody.
    ///
    /// - Throws: why the store cannot be opened.
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

    /// The people whom a campaign names, and those whom it leaves out.
    ///
    /// - Parameter isFallback: whether it is planned for a fallback, which goes to people of the campaign's own last run: an
    ///   exclusion of these would leave nobody, so it does not count.
    /// - Returns: the people; empty when they are not looked for.
    /// - Throws: ``OperationFault`` when no such run is finished, its deliveries were deleted, or the hub is not known; what the
    ///   store throws.
    func people(
        for campaign: Campaign, isFallback: Bool
    ) async throws -> (named: [PeopleOfRun], excluded: [PeopleOfRun]) {
        let rule = campaign.audience
        let excluded = rule.excludedRuns.filter { !(isFallback && $0.campaign == campaign.name) }
        guard !rule.runs.isEmpty || !excluded.isEmpty else { return ([], []) }
        let (hub, ledger): (HubIdentity, (any RunLedger)?)
        switch self {
        case .unread: return ([], [])
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
            throw OperationFault.unfinishedRunForAudience(run, campaign: campaign.name)
        }
        return (
            try await people(of: rule.runs, for: campaign, at: hub, in: ledger),
            try await people(
                of: excluded, for: campaign, at: hub, in: ledger, isExclusion: true)
        )
    }

    /// When people had their turn in earlier runs of a campaign with a local time, which comes to each person once a day at most.
    ///
    /// - Returns: the turns; none when they do not count, when no store is opened, and when the hub is not known.
    /// - Throws: what the store throws.
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
        of runs: [RunSelection], for campaign: Campaign, at hub: HubIdentity,
        in ledger: (any RunLedger)?, isExclusion: Bool = false
    ) async throws -> [PeopleOfRun] {
        var found: [PeopleOfRun] = []
        for selection in runs {
            guard let ledger,
                let people = try await PeopleOfRun.last(selection, at: hub, in: ledger)
            else {
                if selection.allowsNone { continue }
                throw OperationFault.noRunForAudience(
                    of: selection.campaign, campaign: campaign.name, hub: hub,
                    isExclusion: isExclusion)
            }
            if let time = try await ledger.run(people.run)?.deliveriesDeleted {
                throw OperationFault.forgottenRunForAudience(
                    of: selection.campaign, campaign: campaign.name, people.run, deleted: time)
            }
            found.append(people)
        }
        return found
    }
}
