import ArgumentParser
import CampaignCore
import Delivery
import Foundation
import Storage

/// `hubsend payload revoke`.
struct PayloadRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Takes payloads back: no device can fetch them any more.",
        discussion: """
            A payload that a run's recipients share, and --run, take back all that the run sent, and end a run that \
            is not finished. Whoever's own payload is taken back before their push went out is skipped. It cannot be \
            undone; the report shows it.
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

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if ids.isEmpty == (run == nil) {
            throw ValidationError("Name payloads, or a run with --run.")
        }
    }

    func run() async throws {
        let settings = try Settings.load(options, campaigns: [])
        // Never makes a store that was not there.
        try SQLiteStore.openForReading(at: settings.store).close()
        let store = try SQLiteStore.open(at: settings.store)
        if let run {
            try await revoke(run, in: store)
        } else {
            for overview in try await found(in: store) { try await revoke(overview, in: store) }
        }
        try store.close()
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
        guard unknown.isEmpty else { throw CommandFailure.noSuchPayload(unknown) }
        return found
    }

    private func revoke(_ overview: NotificationOverview, in store: SQLiteStore) async throws {
        guard overview.recipient != nil else { return try await revoke(overview.run, in: store) }
        _ = try await store.revoke(overview.id, at: Date())
        try say("Payload \(overview.id) is taken back.")
    }

    private func revoke(_ run: RunID, in store: SQLiteStore) async throws {
        let stopper = RunStopper(ledger: store, lock: StoreLock(ofStoreAt: store.path))
        _ = try await stopper.stop(run, mode: .revoking)
        try say("The payloads of run \(run) are taken back.")
    }

    private func say(_ sentence: String) throws {
        if !options.quiet { try Console.output(sentence + "\n") }
    }
}
