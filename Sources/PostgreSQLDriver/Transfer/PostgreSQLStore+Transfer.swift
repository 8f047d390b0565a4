import CampaignCore
import Files
package import FoundationEssentials
import PostgreSQLClient
package import Storage
import Synchronization

extension PostgreSQLStore {
    /// The name that is locked while the store is filled; no campaign can have this name.
    private static let transferLock = " transfer"
    /// The tables whose rows belong to no run.
    private static let others = ["registrations", "schedules", "forgotten", "troubles"]

    /// Copies another store completely into this one, which is empty or partly filled from the same
    /// store.
    ///
    /// Each run is copied in one transaction, and rows that belong to no run are copied in a last
    /// one. An interrupted call leaves complete runs, and the next call continues after them; in
    /// the meantime, the store can be opened only for this. `observe` must return immediately.
    package func fill(
        from source: any StoreSource, at now: Date,
        observe: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> TransferEnd {
        let time = StoredTime.milliseconds(now)
        let lock = try await campaignLock.acquire(campaign: Self.transferLock)
        guard let lock else { throw StoreError.locked(place) }
        defer { lock.release() }
        let fingerprint = try await BlockingWork.run { () throws in try source.fingerprint() }
        let origin = try await query(StoreOrigin.find)
        if let origin {
            guard origin.fingerprint == fingerprint else {
                throw StoreError.filledFromAnother(place)
            }
            if origin.hasEnded { return .wasDone }
        } else {
            // This is done before anything is written, including the key's check value.
            try await query(checkIsEmpty)
        }
        let forgottenKey = try await matchKeys(with: source)
        if origin == nil {
            try await update { db in
                try checkIsEmpty(db)
                // From now on, nobody else uses the store.
                try db.run(
                    """
                    INSERT INTO store_origin (fingerprint, begun, forgotten_key)
                    VALUES (?1, ?2, ?3)
                    """, [fingerprint, time, forgottenKey])
            }
        }
        try await fillRuns(from: source, observe: observe)
        let counts = try await end(from: source, at: time)
        // Otherwise, the server would analyze the new rows only a minute later.
        try await withoutTransaction { db in try db.executeScript("ANALYZE registrations, runs") }
        return .done(counts)
    }

    private func checkIsEmpty(_ db: any SQLConnection) throws {
        for table in ["runs", "contents"] + Self.others
        where try db.hasRow("SELECT 1 FROM \(table) LIMIT 1") {
            throw StoreError.notEmpty(place)
        }
    }

    /// Checks the keys of both stores; returns the source's encrypted key for forgotten names, if
    /// there is one.
    private func matchKeys(with source: any StoreSource) async throws -> [UInt8]? {
        let keyring = keyring
        let (value, hash) = try await BlockingWork.run { () throws in
            (try source.read { try PayloadKeyring.checkValue($0) }, try source.nameHash())
        }
        if let value {
            let own = try await query { db in try PayloadKeyring.checkValue(db) }
            // A key that replaces the file's key comes after it.
            if let own, !own.starts(with: value) {
                throw StoreError.wrongPayloadKey(place, file: keyring.path)
            }
            _ = try await BlockingWork.run { () throws in try keyring.cipher(of: value) }
            try await update { db in
                _ = try db.run(
                    "INSERT INTO payload_key (check_value) VALUES (?1) ON CONFLICT DO NOTHING",
                    [value])
            }
        }
        guard let hash else { return nil }
        // From now on, the store has a key, from which the key for names is derived.
        _ = try await sealingCipher()
        return try keyring.seal(hash)
    }

    private func fillRuns(
        from source: any StoreSource, observe: @escaping @Sendable (TransferProgress) -> Void
    ) async throws {
        let runs = try await BlockingWork.run { () throws in try source.read(RunTransfer.all) }
        let known = try await query { db in
            Set(try db.rows("SELECT id FROM runs") { RunID(checked: try $0.text(0)) })
        }
        let missing = runs.filter { !known.contains($0.id) }
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
            // Each table of a run is copied by a single statement, which has no time limit.
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
        let staged = try await query { db in try StoredRun(of: run.id, db) }
        try await withoutTransaction { db in try RunPartitions.complete(staged, db) }
        return rows
    }

    /// Copies rows that belong to no run and compares both stores; after that, others can use this
    /// store.
    private func end(
        from source: any StoreSource, at time: Int64
    ) async throws -> [String: Int] {
        try Task.checkCancellation()
        let counts = try await BlockingWork.run { () throws in try source.read(Self.counts) }
        try await write(isLong: true) { [self] db in
            let copy = TableCopy(source: source, db: db) { _ in }
            for table in Self.others { try copy.write(table) }
            let copied = try Self.counts(db)
            for (table, rows) in counts.sorted(by: <) where copied[table] != rows {
                throw StoreError.miscounted(place, table: table)
            }
            if try StoreOrigin.find(db)?.forgottenKey != nil {
                // From now on, this row identifies the key for forgotten names.
                try derivedNameHash().note(.nameless, at: time, db)
            }
            try db.execute("UPDATE store_origin SET ended = $1", [time])
        }
        return counts
    }

    private static func counts(_ db: any SQLConnection) throws -> [String: Int] {
        try (["runs"] + RunTransfer.tables + others).reduce(into: [:]) { counts, table in
            counts[table] = try db.row("SELECT count(*) FROM \(table)") { try $0.int(0) }
        }
    }
}
