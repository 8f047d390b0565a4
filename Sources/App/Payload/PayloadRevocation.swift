import CampaignCore
import Delivery
import Foundation
import Storage

/// The payloads to revoke: those of single people, or all of a run.
///
/// Revoking a shared payload revokes its whole run, in every language, so the wrong
/// text cannot be fetched in any of them.
struct PayloadRevocation: Sendable {
    /// The payloads of single people, in addition to those of ``runs``.
    private let payloads: [NotificationOverview]
    /// The runs whose payloads are all revoked, without duplicates.
    private let runs: [RunID]
    /// The runs that were named by the payload of one language.
    private let partial: Set<RunID>
    /// The runs that were named or in which more than one person is affected.
    private let asked: [RunID]

    /// Looks up all payloads before any is revoked, so that a typo does not leave the work half
    /// done.
    init(of ids: [NotificationID], run: RunID?, in store: any Store) async throws {
        var found: [NotificationOverview] = []
        var unknown: [NotificationID] = []
        for id in ids {
            if let overview = try await store.overview(id) {
                found.append(overview)
            } else {
                unknown.append(id)
            }
        }
        guard unknown.isEmpty else { throw Refused.noSuchPayloads(unknown) }
        for overview in found where !overview.kind.isSilent {
            if try await store.run(overview.run)?.state == .finished {
                throw StopError.shown(overview.run)
            }
        }
        var runs = run.map { [$0] } ?? []
        var asked = runs
        var partial: Set<RunID> = []
        for overview in found where overview.recipient == nil && !runs.contains(overview.run) {
            runs.append(overview.run)
            let people = try await store.run(overview.run)?.recipients ?? overview.recipients
            if people > 1 { asked.append(overview.run) }
            if people > overview.recipients { partial.insert(overview.run) }
        }
        payloads = found.filter { $0.recipient != nil && !runs.contains($0.run) }
        (self.runs, self.asked, self.partial) = (runs, asked, partial)
    }

    /// Asks for confirmation on a terminal, for a run or if more than one person is affected.
    func ask(in store: any Store, _ invocation: Invocation) async throws {
        try await IrreversibleStop.ask(
            .revoking, after: try await warnings(in: store), invocation)
    }

    func warnings(in store: any Store) async throws -> [String] {
        try await IrreversibleStop.warnings(
            .revoking, about: asked, ofOneLanguage: partial,
            besides: payloads.count { $0.revoked == nil }, in: store)
    }

    /// Revokes the payloads one by one, and prints a sentence about each.
    func revoke(
        in store: any Store, say: (String) throws -> Void
    ) async throws {
        for run in runs { try say(try await Self.revoke(run, in: store)) }
        for overview in payloads { try say(try await Self.revoke(overview, in: store)) }
    }

    private static func revoke(
        _ overview: NotificationOverview, in store: any Store
    ) async throws -> String {
        if let time = overview.revoked {
            return "Payload \(overview.id) was already revoked on \(UTCTime.readable(time))."
        }
        _ = try await store.revoke(overview.id, at: Date())
        return overview.kind.isSilent
            ? "Payload \(overview.id) is revoked."
            : "Alert \(overview.id) will not be sent to anybody else. It cannot be taken back from people it was already sent to."
    }

    private static func revoke(_ run: RunID, in store: any Store) async throws -> String {
        let stopper = RunStopper(ledger: store, lock: store.campaignLock)
        let result = try await stopper.stop(run, mode: .revoking)
        if case .alreadyRevoked(let time) = result {
            return
                "The payloads of run \(run) were already revoked on \(UTCTime.readable(time))."
        }
        if let alerts = try await AlertsSent(of: run, in: store) {
            return "Run \(run) is ended for good: \(alerts.sentence)"
        }
        return "The payloads of run \(run) are revoked."
    }
}
