import CampaignCore
import Delivery
import Foundation
import Settings
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

    /// The people that a campaign names, and those it excludes; empty if not looked up.
    ///
    /// - Parameter isFallback: a fallback goes to people of the campaign's own last run, so
    ///   excluding them does not count.
    func people(
        for campaign: Campaign, isFallback: Bool, command: CommandForm
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
            throw OperationFault.unfinishedRunForAudience(
                run, campaign: campaign.name, command: command)
        }
        return (
            try await people(of: rule.runs, for: campaign, at: hub, in: ledger),
            try await people(
                of: excluded, for: campaign, at: hub, in: ledger, isExclusion: true)
        )
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
        of runs: [RunSelection], for campaign: Campaign, at hub: HubIdentity,
        in ledger: (any RunLedger)?, isExclusion: Bool = false
    ) async throws -> [PeopleOfRun] {
        var found: [PeopleOfRun] = []
        for selection in runs {
            var ofSelection: [PeopleOfRun] = []
            if let ledger, isExclusion {
                ofSelection = try await PeopleOfRun.all(selection, at: hub, in: ledger)
            } else if let ledger {
                ofSelection =
                    try await PeopleOfRun.last(selection, at: hub, in: ledger).map { [$0] } ?? []
            }
            guard !ofSelection.isEmpty || selection.allowsNone else {
                throw OperationFault.noRunForAudience(
                    of: selection.campaign, campaign: campaign.name, hub: hub,
                    isExclusion: isExclusion)
            }
            for people in ofSelection {
                guard let time = try await ledger?.run(people.run)?.deliveriesDeleted else {
                    continue
                }
                throw OperationFault.forgottenRunForAudience(
                    of: selection.campaign, campaign: campaign.name, people.run, deleted: time)
            }
            found += ofSelection
        }
        return found
    }
}
