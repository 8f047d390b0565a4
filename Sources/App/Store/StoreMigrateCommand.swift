import ArgumentParser
import CampaignCore
import Foundation
import PostgreSQLDriver
import ProcessControl
import SQLiteDriver
import Storage

struct StoreMigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Upgrades the store of an earlier version, or copies a store file to a server.",
        discussion: """
            Every command that opens an older store upgrades it. This command does nothing else; use it, for \
            example, before you start to use a new version. Earlier versions cannot open the store afterwards, so \
            back it up first, with the version that created it. With --from, a store file is copied into the \
            configured store, which must be on a server and empty. If the copy is interrupted, run the same command \
            again: see hubsend-postgresql(7).
            """)

    @Option(help: "The store file to copy; it is not changed.", completion: .file())
    var from: String?

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let migration = StoreMigration(settings, isQuiet: options.quiet)
        guard let from else { return try await migration.bringUpToDate() }
        _ = try await SignalWatch.run { try await migration.run(from: from) }
    }
}

/// Upgrades a store to this version, or copies it from a file to a server.
struct StoreMigration: Sendable {
    private let settings: EffectiveSettings
    private let isQuiet: Bool
    private let bar: ProgressBar

    init(_ settings: EffectiveSettings, isQuiet: Bool) {
        self.settings = settings
        self.isQuiet = isQuiet
        bar = ProgressBar(isShown: !isQuiet && settings.invocation.isErrorTerminal)
    }

    /// Upgrades the store of the settings, and says whether there was anything to do.
    func bringUpToDate() async throws {
        let isChanged = try await settings.store.migrate()
        guard !isQuiet else { return }
        try Console.output(
            isChanged
                ? "The store \(settings.store) was upgraded.\n"
                : "The store \(settings.store) is up to date; there is nothing to do.\n")
    }

    /// Copies the store in a file, and says what was copied; the file is not changed.
    ///
    /// During the copy, other processes cannot write to the file or open the store on the server.
    /// After an interruption, the next call copies the runs that are missing.
    func run(from file: String) async throws {
        guard settings.store.file == nil else { throw noServer }
        let options = try await settings.storeOptions(clearing: bar)
        let store = try Self.open(settings.invocation.absolute(file), options)
        let source = try SQLiteSource(store, options: options)
        let end: TransferEnd
        do {
            end = try await copy(store, source, options)
        } catch {
            bar.clear()
            // Both stores are closed with the process, because an error from closing would hide why
            // the copy failed.
            try? source.close()
            try? store.close()
            guard error is CancellationError else { throw error }
            throw Refused(
                "interrupted; the runs of the \(store.place) that were copied so far are kept; to copy the others, run the same command again",
                status: .interrupted)
        }
        bar.clear()
        try source.close()
        try store.close()
        guard !isQuiet else { return }
        for sentence in Self.sentences(end, from: store.place, to: settings.store) {
            try Console.say(sentence)
        }
    }

    private static func open(_ path: String, _ options: StoreOptions) throws -> SQLiteStore {
        let opened = Result { () throws(StoreError) in
            try SQLiteStore.openForReading(at: path, options: options, migrates: false)
        }
        switch opened {
        // The advice in these errors is about the configured store, not about --from.
        case .failure(.notFound(let place)), .failure(.notAStore(let place)):
            throw Refused(
                "The \(place) is missing or is not a hubsend store, and nothing was written. Name a store file with --from."
            )
        case .failure, .success: return try opened.get()
        }
    }

    private func copy(
        _ store: SQLiteStore, _ source: SQLiteSource, _ options: StoreOptions
    ) async throws -> TransferEnd {
        // From now on, no run can begin, because a run would have to write to the store.
        for campaign in try source.campaigns()
        where try await store.isWorkedOn(campaign: campaign) {
            let command = CommandForm(
                opening: settings.invocation.opening(with: []), options: ["--store", store.path])
            throw Refused.locked(campaign, stop: command(["stop", campaign]))
        }
        // The checksums are not copied to the server, so damage has to be found now.
        let health = try await store.check()
        guard health.damage.isEmpty else { throw Refused.damaged(store.place, health.damage) }
        guard let target = try await settings.store.openToFill(options) else { throw noServer }
        do {
            let end = try await target.fill(from: source, at: Date()) { [bar] progress in
                bar.update(copiedRuns: progress.done, of: progress.runs, rows: progress.rows)
            }
            try target.close()
            return end
        } catch StoreError.noPayloadKey(_, let file) {
            // The key of the file was found, because otherwise its check would have failed.
            throw Refused(
                """
                The payloads in the file are encrypted and remain encrypted on the server. Copy \
                their key from \(VisibleText.path(store.path + ".key")) to \
                \(VisibleText.path(file)), with mode 0600, and run this command again.
                """)
        }
    }

    private var noServer: Refused {
        Refused(
            """
            --from copies a file into a store on a server, but the configured store is \(settings.store). Name the server in the config's \
            `store` or with --store; see hubsend-postgresql(7).
            """)
    }

    static func sentences(
        _ end: TransferEnd, from source: StoreComponent, to target: StoreAddress
    ) -> [String] {
        guard case .done(let counts) = end else {
            return [
                "The \(source) was already copied to the store \(target); there is nothing to do."
            ]
        }
        let words = [
            ("runs", "run", "runs"), ("recipients", "recipient", "recipients"),
            ("notifications", "payload", "payloads"), ("deliveries", "outcome", "outcomes"),
            ("receipts", "receipt", "receipts"),
            ("registrations", "registration", "registrations"),
        ]
        let parts = words.map { table, one, many in
            Figures.count(counts[table] ?? 0, one, many)
        }
        return [
            """
            The \(source) was copied to the store \(target); both contain \(parts.joined(separator: ", ")).
            """,
            """
            From now on, set `store` in the config to the server, on every host and for `serve`. \
            The file was not changed. Keep it only as a backup: a run that uses it would send \
            again what was already sent from the server.
            """,
        ]
    }
}
