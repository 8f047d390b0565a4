package import CampaignCore
import Delivery
import Foundation
package import Settings
package import Storage

/// Payloads that are taken back for good: single people's own, or all of a run.
///
/// If a payload is shared, its whole run is taken back, in every language: whoever takes back a wrong text wants it gone for all.
package struct PayloadRevocation: Sendable {
    /// People's own payloads, beside those of ``runs``.
    private let payloads: [NotificationOverview]
    /// The runs of which everything is taken back, each once.
    private let runs: [RunID]
    /// The runs that were named only by the payload of people of one language.
    private let partial: Set<RunID>
    /// The runs in which more than one person loses something, or which were named themselves.
    private let asked: [RunID]

    /// Looks up all of them before any is taken back, so that a slip in one id does not leave the work half done.
    ///
    /// - Parameters:
    ///   - ids: the payloads.
    ///   - run: a run of which all payloads are taken back besides; nil: no run was named.
    ///   - store: the store with the payloads.
    /// - Throws: ``OperationFault/noSuchPayloads(_:)``; `StopError.shown` for an alert that was sent; what the store throws.
    package init(of ids: [NotificationID], run: RunID?, in store: any Store) async throws {
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

    /// Asks on a terminal about a run, and about payloads when more than one person loses them.
    ///
    /// - Parameters:
    ///   - store: where they are.
    ///   - invocation: where standard streams lead.
    /// - Throws: ``ConsentRefused`` when the answer is no; what the store throws.
    package func ask(in store: any Store, _ invocation: Invocation) async throws {
        try await IrreversibleStop.ask(
            .revoking, after: try await warnings(in: store), invocation)
    }

    /// What people lose, a sentence for each run.
    ///
    /// - Throws: what the store throws.
    func warnings(in store: any Store) async throws -> [String] {
        try await IrreversibleStop.warnings(
            .revoking, about: asked, ofOneLanguage: partial,
            besides: payloads.count { $0.revoked == nil }, in: store)
    }

    /// Takes the payloads back, one after the other.
    ///
    /// - Parameters:
    ///   - store: the store with the payloads.
    ///   - say: is told what became of each, as a sentence.
    /// - Throws: `StopError`, what the store throws and what `say` throws.
    package func revoke(
        in store: any Store, say: (String) throws -> Void
    ) async throws {
        for run in runs { try say(try await Self.revoke(run, in: store)) }
        for overview in payloads { try say(try await Self.revoke(overview, in: store)) }
    }

    private static func revoke(
        _ overview: NotificationOverview, in store: any Store
    ) async throws -> String {
        if let time = overview.revoked {
            return "Payload \(overview.id) was taken back already on \(UTCTime.readable(time))."
        }
        _ = try await store.revoke(overview.id, at: Date())
        return overview.kind.isSilent
            ? "Payload \(overview.id) is taken back."
            : "Alert \(overview.id) will not be sent any more; where it was sent already, it cannot be taken back."
    }

    private static func revoke(_ run: RunID, in store: any Store) async throws -> String {
        let stopper = RunStopper(ledger: store, lock: store.campaignLock)
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
