import CampaignCore
import Delivery
import Foundation
import Settings
import Storage

/// Where the people of earlier runs that an audience names are found.
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

    /// The people whom a campaign names.
    ///
    /// - Returns: the people; empty when they are not looked for.
    /// - Throws: ``OperationFault`` when no such run is finished, its deliveries were deleted, or the hub is not known; what the
    ///   store throws.
    func people(for campaign: Campaign) async throws -> [PeopleOfRun] {
        guard !campaign.audience.runs.isEmpty else { return [] }
        switch self {
        case .unread: return []
        case .kept(let ledger, let hub): return try await people(for: campaign, at: hub, in: ledger)
        case .keptBy(let settings, let program):
            guard let hub = try settings.hub?.identity(for: program) else {
                throw OperationFault.noHubForRuns(campaign: campaign.name)
            }
            return try await people(for: campaign, at: hub, in: settings.store.openAsItIs())
        }
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
        for campaign: Campaign, at hub: HubIdentity, in ledger: (any RunLedger)?
    ) async throws -> [PeopleOfRun] {
        var found: [PeopleOfRun] = []
        for selection in campaign.audience.runs {
            guard let ledger,
                let people = try await PeopleOfRun.last(selection, at: hub, in: ledger)
            else {
                throw OperationFault.noRunForAudience(
                    of: selection.campaign, campaign: campaign.name, hub: hub)
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
