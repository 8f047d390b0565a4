package import CampaignCore
import Files
import GRDB
package import Storage

/// Keeps notifications, runs, deliveries and registrations in a SQLite file that several processes
/// share.
///
/// A writing call waits up to ``StoreOptions/busyTimeout`` for another transaction; a reading call
/// never waits. A cancelled task completes its call, so nothing is lost.
package struct SQLiteStore: UpkeepDriver {
    /// The pause between two long transactions; a waiting writer tries ten times a second.
    static let pause: Duration = .milliseconds(250)
    /// How many times hubsend tries to empty the log while others read it.
    private static let turns = 5

    package let path: String
    /// The file at the time of opening.
    let inode: StoreInode
    let pool: DatabasePool
    let readers: QuickReaders
    let contents = ContentCache()
    package let keyring: PayloadKeyring
    /// The key for recognising forgotten people.
    let forgottenKey: PayloadKeyFile
    let inboxRuns: InboxRuns
    let room: RecordingRoom

    package var place: StoreComponent { .store(path: path) }
    package var pace: WritePace { WritePace(most: TransactionLimit.rows) }
    package var campaignLock: any CampaignLock { StoreLock(ofStoreAt: path) }

    package func isWorkedOn(campaign: String) async throws -> Bool {
        try StoreLock(ofStoreAt: path).isHeld(campaign: campaign)
    }

    /// Reads in one transaction; throws ``StoreError/replaced(_:)`` if there is a different file at
    /// the path, or none.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                pool.asyncRead { [place, inode] connection in
                    continuation.resume(
                        with: Result {
                            let db = try connection.get()
                            try inode.checkPlace()
                            return try body(db)
                        }.mapError {
                            StoreError.translating($0, at: place, try? connection.get())
                        })
                }
            }
        } catch {
            // The error for a missing file is clearer than the connection's error.
            try inode.checkPlace()
            throw error
        }
    }

    /// Reads a few rows on the caller's thread; each statement sees the last commit.
    ///
    /// This is for reads on every request, because it needs neither a transaction nor a change of
    /// threads.
    func readAtOnce<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            let value = try readers.read { db in
                try inode.checkPlace()
                return try body(db)
            }
            if let value { return value }
        } catch {
            try inode.checkPlace()
            throw error
        }
        return try await read(body)
    }

    /// Writes durably in one transaction; throws ``StoreError/replaced(_:)``, because changes to a
    /// replaced file would be lost.
    ///
    /// - Parameter isOfRun: whether the change counts as progress of a run, which is then marked as
    ///   saved.
    func write<Value: Sendable>(
        isOfRun: Bool = false, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        // GRDB's own `async` calls roll back in a cancelled task, which would lose changes that a
        // stopping run still has to save.
        try await withCheckedThrowingContinuation { continuation in
            pool.asyncWrite { [inode] db in
                try inode.checkPlace()
                try RowSeal.keep(db)
                let value = try body(db)
                return (value: value, saved: try isOfRun ? StoreProgress.advance(db) : nil)
            } completion: { [place, path] db, result in
                if case .success((_, let saved?)) = result {
                    StoreMark(besideStoreAt: path).note(saved)
                }
                continuation.resume(
                    with: result.map(\.value).mapError {
                        StoreError.translating($0, at: place, db)
                    })
            }
        }
    }

    /// Works on the writing connection outside of a transaction, for long work on temporary tables.
    func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            pool.asyncWriteWithoutTransaction { [place, inode] db in
                continuation.resume(
                    with: Result {
                        try inode.checkPlace()
                        return try body(db)
                    }.mapError { StoreError.translating($0, at: place, db) })
            }
        }
    }

    package func placeProblem() async -> StoreError? {
        do throws(StoreError) {
            try await BlockingWork.run { [inode] () throws(StoreError) in try inode.checkPlace() }
            return nil
        } catch {
            guard case .replaced = error else { return nil }
            return error
        }
    }

    /// Merges the log into the file, except for parts that others are reading; if `isEmptied`,
    /// waits for readers, but lets writers in between.
    package func bringLogIn(isEmptied: Bool) async throws {
        // This step does not block writers, and leaves little work for the next step, which does
        // block them.
        try await writeWithoutTransaction { db in _ = try Self.bringLogIn(.passive, db) }
        guard isEmptied else { return }
        for turn in 1...Self.turns {
            // Waits for readers of the log for part of the busy timeout, during which nobody can
            // write.
            let isEmpty = try await writeWithoutTransaction { db in
                let timeout = try Int.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
                try db.execute(sql: "PRAGMA busy_timeout = \(timeout / Self.turns)")
                let isEmpty = Result { try Self.bringLogIn(.truncate, db) }
                try db.execute(sql: "PRAGMA busy_timeout = \(timeout)")
                return try isEmpty.get()
            }
            if isEmpty || turn == Self.turns { return }
            try await Task.sleep(for: Self.pause)
        }
    }

    package func close() throws(StoreError) {
        do {
            // SQLite finds the log by name: next to a replaced store, it belongs to the new store.
            if !pool.configuration.readonly, try inode.isInPlace() {
                try pool.writeWithoutTransaction { db in
                    // Lets this process's last reads finish. If somebody reads for longer, the log
                    // remains and is read together with the file.
                    try db.execute(sql: "PRAGMA busy_timeout = 200")
                    // A log that remains would be read before the file, even if the log is damaged.
                    _ = try Self.bringLogIn(.truncate, db)
                }
            }
            try readers.close()
            try pool.close()
            inode.letGo()
        } catch {
            throw StoreError.opening(error, at: place)
        }
    }

    private static func bringLogIn(
        _ mode: Database.CheckpointMode, _ db: Database
    ) throws -> Bool {
        do {
            _ = try db.checkpoint(mode)
            return true
        } catch let error as DatabaseError
            where [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL].contains(error.resultCode)
        {
            // Others are merging, or there is no space. Nothing is lost, because the last process
            // to close the store merges the log.
            return false
        }
    }

    // MARK: Operations of both stores

    package func query<Value: Sendable>(
        isLong: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await read { try body($0) }
    }

    package func queryOnWriter<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await writeWithoutTransaction { try body($0) }
    }

    package func update<Value: Sendable>(
        isOfRun: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await write(isOfRun: isOfRun) { try body($0) }
    }
}
