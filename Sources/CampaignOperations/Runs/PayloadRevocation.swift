package import CampaignCore
import Delivery
import Foundation
package import Settings
package import Storage

/// Payloads that are taken back for good: single ones, or all of a run.
package struct PayloadRevocation: Sendable {
    private let payloads: [NotificationOverview]
    private let run: RunID?

    /// Looks all of them up before any is taken back: a slip in one id must not leave half of it done unseen.
    ///
    /// - Parameters:
    ///   - ids: the payloads.
    ///   - run: all payloads of this run besides; nil: of none.
    ///   - store: where they are.
    /// - Throws: ``OperationFault/noSuchPayloads(_:)``; `StopError.shown` for an alert that was sent; what the store throws.
    package init(of ids: [NotificationID], run: RunID?, in store: SQLiteStore) async throws {
        var found: [NotificationOverview] = []
        var unknown: [NotificationID] = []
        for id in ids {
            if let overview = try await store.overview(id) {
                found.append(overview)
            } else {
                unknown.append(id)
            }
        }
        guard unknown.isEmpty else { throw OperationFault.noSuchPayloads(unknown) }
        for overview in found where !overview.kind.isSilent {
            if try await store.run(overview.run)?.state == .finished {
                throw StopError.shown(overview.run)
            }
        }
        payloads = found
        self.run = run
    }

    /// Asks on a terminal about a run, and about payloads when more than one person loses them.
    ///
    /// - Parameters:
    ///   - store: where they are.
    ///   - invocation: where standard streams lead.
    /// - Throws: ``ConsentRefused`` when the answer is no; what the store throws.
    package func ask(in store: SQLiteStore, _ invocation: Invocation) async throws {
        let shared = payloads.filter { $0.recipient == nil && $0.recipients > 1 }.map(\.run)
        let own = payloads.count { $0.recipient != nil && $0.revoked == nil }
        try await IrreversibleStop.ask(
            .revoking, about: (run.map { [$0] } ?? []) + shared, besides: own, in: store,
            invocation)
    }

    /// Takes them back, one after the other.
    ///
    /// - Parameters:
    ///   - store: where they are.
    ///   - say: is told what became of each, as a sentence.
    /// - Throws: `StopError`, what the store throws and what `say` throws.
    package func revoke(
        in store: SQLiteStore, say: (String) throws -> Void
    ) async throws {
        if let run { try say(try await Self.revoke(run, in: store)) }
        for overview in payloads { try say(try await Self.revoke(overview, in: store)) }
    }

    private static func revoke(
        _ overview: NotificationOverview, in store: SQLiteStore
    ) async throws -> String {
        guard overview.recipient != nil else { return try await revoke(overview.run, in: store) }
        if let time = overview.revoked {
            return "Payload \(overview.id) was taken back already on \(UTCTime.readable(time))."
        }
        _ = try await store.revoke(overview.id, at: Date())
        return overview.kind.isSilent
            ? "Payload \(overview.id) is taken back."
            : "Alert \(overview.id) will not be sent any more; where it was sent already, it cannot be taken back."
    }

    private static func revoke(_ run: RunID, in store: SQLiteStore) async throws -> String {
        let stopper = RunStopper(ledger: store, lock: StoreLock(ofStoreAt: store.path))
        let result = try await stopper.stop(run, mode: .revoking)
        if case .alreadyRevoked(let time) = result {
            return
                "The payloads of run \(run) were taken back already on \(UTCTime.readable(time))."
        }
        if let alerts = try await AlertsSent(of: run, in: store) {
            return "Run \(run) is ended for good: \(alerts.sentence)"
        }
        return "The payloads of run \(run) are taken back."
    }
}
