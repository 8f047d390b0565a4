import CampaignCore
import Foundation
import PostgreSQLStorage
import SQLiteStorage
import Storage

/// Brings a store to this version, or copies it from a file to a server.
struct StoreMigration: Sendable {
    private let settings: EffectiveSettings
    private let isQuiet: Bool
    private let bar: ProgressBar

    init(_ settings: EffectiveSettings, isQuiet: Bool) {
        self.settings = settings
        self.isQuiet = isQuiet
        bar = ProgressBar(isShown: !isQuiet && settings.invocation.isErrorTerminal)
    }

    /// Migrates the settings' store, and says whether there was anything to do.
    func bringUpToDate() async throws {
        let isChanged = try await settings.store.migrate()
        guard !isQuiet else { return }
        try Console.output(
            isChanged
                ? "The store \(settings.store) was brought up to date.\n"
                : "The store \(settings.store) is up to date; there is nothing to do.\n")
    }

    /// Copies the store of a file, and says what was copied; the file is not changed.
    ///
    /// Meanwhile nobody else can write to the file or open the store on the server. After an
    /// interruption, the next call continues run by run.
    func run(from file: String) async throws {
        guard settings.store.file == nil else {
            throw OperationFault.noServer("\(settings.store)")
        }
        let options = try await settings.storeOptions(clearing: bar)
        let store = try Self.open(settings.invocation.absolute(file), options)
        let source = try SQLiteSource(store, options: options)
        let end: TransferEnd
        do {
            end = try await copy(store, source, options)
        } catch {
            bar.clear()
            // Both end with the process; an error from closing would hide why the copy failed.
            try? source.close()
            try? store.close()
            throw error is CancellationError
                ? OperationFault.migrationInterrupted(store.place) : error
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
            try SQLiteStore.openForReading(at: path, options: options, isBroughtUpToDate: false)
        }
        switch opened {
        // These errors' own advice is for users of such a store.
        case .failure(.notFound(let place)), .failure(.notAStore(let place)):
            throw OperationFault.nothingToCopy(place)
        case .failure, .success: return try opened.get()
        }
    }

    private func copy(
        _ store: SQLiteStore, _ source: SQLiteSource, _ options: StoreOptions
    ) async throws -> TransferEnd {
        // From now on no run can begin, since that writes to the store.
        for campaign in try source.campaigns()
        where try await store.isWorkedOn(campaign: campaign) {
            let command = CommandForm(
                opening: settings.invocation.opening(with: []), options: ["--store", store.path])
            throw OperationFault.locked(campaign: campaign, stop: command(["stop", campaign]))
        }
        // The checksums are not copied to the server, so damage has to be found now.
        let health = try await store.check()
        guard health.faults.isEmpty else {
            throw OperationFault.damagedStore(store.place, health.faults)
        }
        guard let target = try await settings.store.openToFill(options) else {
            throw OperationFault.noServer("\(settings.store)")
        }
        do {
            let end = try await target.fill(from: source, at: Date()) { [bar] progress in
                bar.update(copiedRuns: progress.done, of: progress.runs, rows: progress.rows)
            }
            try target.close()
            return end
        } catch StoreError.noPayloadKey(_, let file) {
            // The file's own key was found, or its check would have said so.
            throw OperationFault.keyNotCopied(from: store.path + ".key", to: file)
        }
    }

    static func sentences(
        _ end: TransferEnd, from source: StorePlace, to target: StoreAddress
    ) -> [String] {
        guard case .done(let counts) = end else {
            return [
                "The \(source) was copied to the store \(target) before; there is nothing to do."
            ]
        }
        let words = [
            ("runs", "run", "runs"), ("recipients", "recipient", "recipients"),
            ("notifications", "payload", "payloads"), ("deliveries", "outcome", "outcomes"),
            ("receipts", "receipt", "receipts"),
            ("registrations", "registration", "registrations"),
        ]
        let parts = words.map { table, one, many in
            Figures.count(counts.first { $0.table == table }?.rows ?? 0, one, many)
        }
        return [
            """
            The \(source) was copied to the store \(target); both have \(parts.joined(separator: ", ")).
            """,
            """
            Let `store` in the config name the server from now on, for every host and for `serve`, and keep the file as a backup: \
            nothing in it was changed, and whoever goes on with it would send again what is sent from the server.
            """,
        ]
    }
}
