import CampaignCore
import Files
package import FoundationEssentials
import PostgreSQLClient
package import Storage
import Synchronization

extension PostgreSQLStore {
    /// Locked while the store is filled; no campaign has such a name.
    private static let transferLock = " transfer"
    /// The tables that belong to no run.
    private static let others = ["registrations", "schedules", "forgotten", "troubles"]
    /// Tables that are empty in a new store.
    private static let mustBeEmpty = [
        "runs", "contents", "registrations", "schedules", "forgotten", "troubles",
    ]

    /// Copies all of another store into this one, which is empty or partly filled from the same
    /// one.
    ///
    /// Each run has a transaction, and what belongs to no run a last one. An interrupted call
    /// leaves whole runs, after which the next one continues; meanwhile the store can only be
    /// opened for this. `observe` must return at once.
    package func fill(
        from source: any StoreSource, at now: Date,
        observe: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> TransferEnd {
        let lock = try await ServerLock(store: self).take(campaign: Self.transferLock)
        guard let lock else { throw StoreError.locked(place) }
        defer { lock.release() }
        let fingerprint = try await BlockingWork.run { () throws in try source.fingerprint() }
        let origin = try await read(StoreOrigin.find)
        if let origin {
            guard origin.fingerprint == fingerprint else {
                throw StoreError.filledFromAnother(place)
            }
            if origin.hasEnded { return .wasDone }
        } else {
            // Before anything is written, including the key's check value.
            try await read(checkIsEmpty)
        }
        let forgottenKey = try await matchKeys(with: source)
        if origin == nil {
            try await begin(fingerprint, forgottenKey: forgottenKey, at: now)
        }
        try await fillRuns(from: source, observe: observe)
        let counts = try await end(from: source, at: now)
        // By itself, the server would look at the new rows a minute later.
        try await withoutTransaction { db in try db.executeScript("ANALYZE registrations, runs") }
        return .done(counts)
    }

    /// Checks the keys of both stores; returns the source's encrypted key for forgotten names, if
    /// there is one.
    private func matchKeys(with source: any StoreSource) async throws -> [UInt8]? {
        let (value, hash) = try await BlockingWork.run { () throws in
            (try source.read { try PayloadKeyring.checkValue($0) }, try source.nameHash())
        }
        let keyring = keyring
        let another = StoreError.wrongPayloadKey(place, file: keyring.path)
        if let value {
            try await read(isLong: true) { db in
                let own = try PayloadKeyring.checkValue(db)
                // A key that replaces the file's comes after it.
                if let own, !own.starts(with: value) { throw another }
            }
            _ = try await BlockingWork.run { () throws in try keyring.cipherInUse { value } }
            try await write { db in
                try db.execute(
                    "INSERT INTO payload_key (check_value) VALUES ($1) ON CONFLICT DO NOTHING",
                    [value])
            }
        }
        guard let hash else { return nil }
        // From now on the store has a key, from which its key for names is derived.
        _ = try await sealingCipher()
        return try keyring.seal(hash)
    }

    private func checkIsEmpty(_ db: PostgreSQLConnection) throws {
        for table in Self.mustBeEmpty
        where try db.row("SELECT 1 FROM \(table) LIMIT 1") != nil {
            throw StoreError.notEmpty(place)
        }
    }

    private func begin(
        _ fingerprint: String, forgottenKey: [UInt8]?, at now: Date
    ) async throws {
        try await write { db in
            try checkIsEmpty(db)
            try StoreOrigin.begin(
                fingerprint, forgottenKey: forgottenKey, at: StoredTime.milliseconds(now), db)
        }
    }

    private func fillRuns(
        from source: any StoreSource, observe: @escaping @Sendable (TransferProgress) -> Void
    ) async throws {
        let runs = try await BlockingWork.run { () throws in try RunTransfer.all(source) }
        let known = try await read { db in
            Set(try db.rows("SELECT id FROM runs").map { try $0.text(0) })
        }
        let missing = runs.filter { !known.contains($0.id.text) }
        var progress = TransferProgress(done: runs.count - missing.count, runs: runs.count)
        observe(progress)
        for run in missing {
            try Task.checkCancellation()
            progress.rows = try await fill(run, from: source, progress, observe: observe)
            progress.done += 1
            observe(progress)
        }
    }

    private func fill(
        _ run: RunTransfer, from source: any StoreSource, _ progress: TransferProgress,
        observe: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> Int {
        let isCancelled = Mutex(false)
        let rows = try await withTaskCancellationHandler {
            // A table of a run is one statement, however long it is.
            try await write(isLong: true) { db in
                var progress = progress
                try run.write(
                    TableCopy(source: source, db: db) { rows in
                        if isCancelled.withLock(\.self) { throw CancellationError() }
                        progress.rows += rows
                        observe(progress)
                    })
                return progress.rows
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        let staged = try await read { db in try StoredRun(of: run.id, db) }
        try await withoutTransaction { db in try RunPartitions.complete(staged, db) }
        return rows
    }

    /// Copies what belongs to no run, and compares both stores; after that, others can use this
    /// one.
    private func end(
        from source: any StoreSource, at now: Date
    ) async throws -> [TransferCount] {
        try Task.checkCancellation()
        let tables = ["runs"] + RunTransfer.tables + Self.others
        let counts = try await BlockingWork.run { () throws in
            try source.read { old in
                try tables.map { TransferCount(table: $0, rows: try Self.count($0, old)) }
            }
        }
        let (place, keyring) = (place, keyring)
        try await write(isLong: true) { db in
            let copy = TableCopy(source: source, db: db) { _ in }
            for table in Self.others { try copy.write(table) }
            for count in counts where try Self.count(count.table, db) != count.rows {
                throw StoreError.miscounted(place, table: count.table)
            }
            let time = StoredTime.milliseconds(now)
            if try StoreOrigin.forgottenKey(db) != nil {
                // Identifies the key for forgotten names from now on.
                guard let hash = try keyring.nameHashes().first else {
                    throw StoreError.noForgottenKey(place, file: keyring.path)
                }
                try db.execute(
                    """
                    INSERT INTO forgotten (hash, forgotten) VALUES ($1, $2)
                    ON CONFLICT (hash) DO NOTHING
                    """, [Array(hash.hash(.nameless)), time])
            }
            try StoreOrigin.end(at: time, db)
        }
        return counts
    }

    private static func count(_ table: String, _ db: any SQLConnection) throws -> Int {
        try db.row("SELECT count(*) FROM \(table)") { try $0.int(0) } ?? 0
    }
}
