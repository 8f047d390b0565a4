import CampaignCore
import Delivery
import Foundation
import Settings
import Storage

/// Where the people of earlier runs are found whom an audience names.
enum EarlierRuns: Sendable {
    /// Nowhere: a check that opens no store says what it did not look at.
    case unread
    /// In an open store, as sent to a hub; nil: there is no store yet.
    case kept((any RunLedger)?, at: HubIdentity)
    /// In the store of settings, which is only read, and only for a campaign that asks for it; for the hub of settings, as far
    /// as it is known without asking.
    case keptBy(EffectiveSettings, HubCaller)

    /// Whether they are looked for.
    var areRead: Bool { if case .unread = self { false } else { true } }

    /// Knows who was forgotten; nil where no store is opened, or there is none, or one of an earlier version, which forgot nobody.
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
    /// - Returns: nobody where they are not looked for.
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

    /// When people had their turn in earlier runs of a campaign that comes once a day to each.
    ///
    /// - Returns: nothing where that does not count, where no store is opened and where the hub is not known.
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
