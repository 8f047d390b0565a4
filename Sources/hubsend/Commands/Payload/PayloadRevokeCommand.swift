import ArgumentParser
import CampaignCore
import Delivery
import Foundation
import Settings
import Storage
import Terminal

/// `hubsend payload revoke`.
struct PayloadRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Takes payloads back: no device can fetch them any more.",
        discussion: """
            A payload that a run's recipients share, and --run, take back all that the run sent, and end a run that \
            is not finished. Whoever's own payload is taken back before their push went out is skipped. It cannot be \
            undone, so a terminal is asked when it meets more than one person; the report shows it. An alert that was \
            sent shows at once and cannot be taken back.
            """)

    @Argument(
        help: ArgumentHelp(
            "Payloads, as `hubsend payload list` and reports name them.", valueName: "id"),
        transform: NotificationID.argument)
    var ids: [NotificationID] = []

    @Option(
        help: ArgumentHelp("All payloads of this run.", valueName: "run"),
        transform: RunID.argument)
    var run: RunID?

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if ids.isEmpty == (run == nil) {
            throw ValidationError("Name payloads, or a run with --run.")
        }
    }

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        // Never makes a store that was not there.
        let reader = try SQLiteStore.openForReading(at: settings.store)
        let payloads = try await found(in: reader)
        if !yes { try await ask(about: payloads, in: reader, settings.invocation) }
        try reader.close()
        let store = try SQLiteStore.open(at: settings.store)
        if let run { try await revoke(run, in: store) }
        for overview in payloads { try await revoke(overview, in: store) }
        try store.close()
    }

    /// Asks on a terminal about a run, and about payloads when more than one person loses them.
    private func ask(
        about payloads: [NotificationOverview], in store: SQLiteStore, _ invocation: Invocation
    ) async throws {
        let shared = payloads.filter { $0.recipient == nil && $0.recipients > 1 }.map(\.run)
        let own = payloads.count { $0.recipient != nil && $0.revoked == nil }
        try await IrreversibleStop.ask(
            .revoking, about: (run.map { [$0] } ?? []) + shared, besides: own, in: store,
            invocation)
    }

    /// All of them, before any is taken back: a slip in one id must not leave half of it done unseen.
    private func found(in store: SQLiteStore) async throws -> [NotificationOverview] {
        var found: [NotificationOverview] = []
        var unknown: [NotificationID] = []
        for id in ids {
            if let overview = try await store.overview(id) {
                found.append(overview)
            } else {
                unknown.append(id)
            }
        }
        guard unknown.isEmpty else { throw CommandEnd.noSuchPayload(unknown) }
        for overview in found where !overview.kind.isSilent {
            if try await store.run(overview.run)?.state == .finished {
                throw StopError.shown(overview.run)
            }
        }
        return found
    }

    private func revoke(_ overview: NotificationOverview, in store: SQLiteStore) async throws {
        guard overview.recipient != nil else { return try await revoke(overview.run, in: store) }
        if let time = overview.revoked {
            return try say(
                "Payload \(overview.id) was taken back already on \(UTCTime.readable(time)).")
        }
        _ = try await store.revoke(overview.id, at: Date())
        try say(
            overview.kind.isSilent
                ? "Payload \(overview.id) is taken back."
                : "Alert \(overview.id) will not be sent any more; where it was sent already, it cannot be taken back."
        )
    }

    private func revoke(_ run: RunID, in store: SQLiteStore) async throws {
        let stopper = RunStopper(ledger: store, lock: StoreLock(ofStoreAt: store.path))
        let result = try await stopper.stop(run, mode: .revoking)
        if case .alreadyRevoked(let time) = result {
            return try say(
                "The payloads of run \(run) were taken back already on \(UTCTime.readable(time))."
            )
        }
        if let alerts = try await AlertsSent(of: run, in: store) {
            return try say("Run \(run) is ended for good: \(alerts.sentence)")
        }
        try say("The payloads of run \(run) are taken back.")
    }

    private func say(_ sentence: String) throws {
        if !options.quiet { try Console.output(sentence + "\n") }
    }
}
