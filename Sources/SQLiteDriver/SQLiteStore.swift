package import CampaignCore
import Files
import GRDB
package import Storage

/// Keeps notifications, runs, deliveries and registrations in a SQLite file that several processes
/// share.
///
/// A writing call waits for another's transaction up to ``StoreOptions/busyTimeout``, a reading one
/// never waits. A cancelled task completes its call, and loses nothing.
package struct SQLiteStore: Sendable {
    /// The pause between two long transactions; a waiting writer tries ten times a second.
    static let pause: Duration = .milliseconds(250)
    /// How often emptying the log is tried while others read it.
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

    package var place: StorePlace { .store(path: path) }
    package var pace: WritePace { WritePace(most: TransactionLimit.rows) }
    package var campaignLock: any CampaignLock { StoreLock(ofStoreAt: path) }

    /// Reads in one transaction; throws ``StoreError/replaced(_:)`` when the path has another file,
    /// or none.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.uninterruptedRead(place) { [inode] db in
                try inode.checkPlace()
                return try body(db)
            }
        } catch {
            // If the file is gone, say so; the connection's error would say less.
            try inode.checkPlace()
            throw error
        }
    }

    /// Reads a few rows on the caller's thread; each statement sees the last commit.
    ///
    /// For reads that each request makes: no transaction, and no change of threads.
    func readAtOnce<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            let value = try readers.read { db in
                try inode.checkPlace()
                do {
                    return try body(db)
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    throw error
                } catch {
                    throw StoreError.translating(error, at: place, .success(db))
                }
            }
            if let value { return value }
        } catch {
            try inode.checkPlace()
            throw error
        }
        return try await read(body)
    }

    /// Writes in one transaction, durably; throws ``StoreError/replaced(_:)``, since a replaced
    /// file's changes would be lost.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.uninterruptedWrite(place) { [inode] db in
            try inode.checkPlace()
            try RowSeal.keep(db)
            return try body(db)
        }
    }

    /// Writes a run's results in one transaction, durably, and marks it as saved.
    func save<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let mark = StoreMark(besideStoreAt: path)
        return try await pool.uninterruptedWrite(
            place,
            { [inode] db in
                try inode.checkPlace()
                try RowSeal.keep(db)
                return (value: try body(db), saved: try StoreProgress.advance(db))
            },
            committed: { mark.note($0.saved) }
        ).value
    }

    /// Works on the writing connection outside of a transaction, for long work on temporary tables.
    func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.uninterruptedWriteWithoutTransaction(place) { [inode] db in
            try inode.checkPlace()
            return try body(db)
        }
    }

    /// Checks now and then whether the store is still at its path, until it is not or the task is
    /// cancelled.
    package func watchPlace(
        every interval: Duration,
        clock: any Clock<Duration> = ContinuousClock(),
        onReplaced: @Sendable (any Error) -> Void
    ) async {
        while true {
            do {
                try await clock.sleep(for: interval)
            } catch {
                return  // Cancelled.
            }
            do throws(StoreError) {
                try await BlockingWork.run { [inode] () throws(StoreError) in
                    try inode.checkPlace()
                }
            } catch {
                guard case .replaced = error else { continue }
                return onReplaced(error)
            }
        }
    }

    /// Merges the log, which has the earlier pages, into the file, as far as nobody else reads it;
    /// to empty it, waits for readers, with turns for writers.
    package func bringLogIn(isEmptied: Bool) async throws {
        // Blocks no writers, and leaves little to the next step, which does.
        try await writeWithoutTransaction { db in _ = try Self.bringLogIn(.passive, db) }
        guard isEmptied else { return }
        for turn in 1...Self.turns {
            if try await emptyLog() || turn == Self.turns { return }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Waits a part of the busy timeout for readers of the log, while nobody can write.
    private func emptyLog() async throws -> Bool {
        try await writeWithoutTransaction { db in
            let timeout = try Int.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
            try db.execute(sql: "PRAGMA busy_timeout = \(timeout / Self.turns)")
            let isEmpty = Result { try Self.bringLogIn(.truncate, db) }
            try db.execute(sql: "PRAGMA busy_timeout = \(timeout)")
            return try isEmpty.get()
        }
    }

    package func close() throws(StoreError) {
        do {
            // The log goes by the name: beside a replaced store, it is the new one's.
            if !pool.configuration.readonly, try inode.isInPlace() {
                try pool.writeWithoutTransaction { db in
                    // Waits for no reader: then the log stays, and is read with the file.
                    try db.execute(sql: "PRAGMA busy_timeout = 0")
                    // A remaining log would be read before the file, even a damaged one.
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
            // Others are merging, or there is no room: the log has everything, and the last process
            // to close the store merges it.
            return false
        }
    }
}

extension SQLiteStore: UpkeepDriver {
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
        isOfRun ? try await save { try body($0) } : try await write { try body($0) }
    }

    package func watchPlace(onReplaced: @Sendable (any Error) -> Void) async {
        await watchPlace(every: .seconds(2), onReplaced: onReplaced)
    }
}

/// Transactions that complete, whether or not the task is cancelled.
///
/// GRDB's own `async` calls roll back in a cancelled task, which would lose what a stopping run
/// still has to save.
extension DatabasePool {
    fileprivate func uninterruptedRead<Value: Sendable>(
        _ place: StorePlace, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            asyncRead { connection in
                continuation.resume(
                    with: Result { try body(connection.get()) }.mapError {
                        StoreError.translating($0, at: place, connection)
                    })
            }
        }
    }

    /// `committed` runs on the same queue, once the transaction is durable.
    fileprivate func uninterruptedWrite<Value: Sendable>(
        _ place: StorePlace, _ body: @escaping @Sendable (Database) throws -> Value,
        committed: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            asyncWrite(body) { db, result in
                if case .success(let value) = result { committed(value) }
                continuation.resume(
                    with: result.mapError {
                        StoreError.translating($0, at: place, .success(db))
                    })
            }
        }
    }

    fileprivate func uninterruptedWriteWithoutTransaction<Value: Sendable>(
        _ place: StorePlace, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            asyncWriteWithoutTransaction { db in
                continuation.resume(
                    with: Result { try body(db) }
                        .mapError { StoreError.translating($0, at: place, .success(db)) })
            }
        }
    }
}
