package import CampaignCore
import Files
import GRDB
package import Storage

/// Keeps notifications, runs, deliveries and registrations in a SQLite file.
///
/// Several processes share one file: a writing call waits for another's transaction as long as ``StoreOptions/busyTimeout``,
/// a reading one never waits. Calls end what they began: a cancelled task loses nothing that was handed over.
package struct SQLiteStore: Sendable {
    /// The most rows that one transaction writes, so that nobody else waits for long.
    static let transactionRows = 5_000
    /// The most bytes of content that one transaction deletes or writes anew, beyond its first: all of it goes through the log.
    static let transactionBytes = 2_097_152
    /// How long other processes get between two long transactions; one that waits to write tries ten times a second.
    static let pause: Duration = .milliseconds(250)
    /// How often emptying the log is tried while others read it.
    private static let turns = 5

    /// The file.
    package let path: String
    /// The file that was there when it was opened.
    let inode: StoreInode
    let pool: DatabasePool
    let keyring: PayloadKeyring
    /// Where the key is by which people are recognised who were forgotten.
    let forgottenKey: PayloadKeyFile
    /// The most runs that one person's list is made from.
    let inboxRuns: Int

    package var place: StorePlace { .store(path: path) }
    package var campaignLock: any CampaignLock { StoreLock(ofStoreAt: path) }

    /// Reads in one transaction.
    ///
    /// - Throws: ``StoreError/replaced(_:)`` when another file, or none, stands at the store's path by now.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.uninterruptedRead(place) { [inode] db in
                try inode.checkPlace()
                return try body(db)
            }
        } catch {
            // If the file is gone, this says so; the error of the connection would say less.
            try inode.checkPlace()
            throw error
        }
    }

    /// Writes in one transaction; durable when it returns.
    ///
    /// - Throws: ``StoreError/replaced(_:)`` when another file, or none, stands at the store's path by now: what is written
    ///   to the old one, nobody would find again.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.uninterruptedWrite(place) { [inode] db in
            try inode.checkPlace()
            return try body(db)
        }
    }

    /// Writes in one transaction what became of a run; durable when it returns, and marked as saved.
    ///
    /// - Throws: as ``write(_:)``.
    func save<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let mark = StoreMark(besideStoreAt: path)
        return try await pool.uninterruptedWrite(
            place,
            { [inode] db in
                try inode.checkPlace()
                return (value: try body(db), saved: try StoreProgress.advance(db))
            },
            committed: { mark.note($0.saved) }
        ).value
    }

    /// Works on the writing connection outside of a transaction, for what takes long and is nobody else's, such as its temporary tables.
    ///
    /// - Throws: as ``write(_:)``.
    func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.uninterruptedWriteWithoutTransaction(place) { [inode] db in
            try inode.checkPlace()
            return try body(db)
        }
    }

    /// Looks every now and then whether the store still stands at its path, until it does not or the task is cancelled.
    ///
    /// - Parameters:
    ///   - interval: how often it looks.
    ///   - clock: what it waits by.
    ///   - onReplaced: gets ``StoreError/replaced(_:)``. Whatever else there is may pass, and who needs the store is told of it.
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

    /// Brings what stands in the log beside the file into the file, as far as nobody else reads it.
    ///
    /// - Parameter isEmptied: whether nothing of it shall be left in the log either; that waits for those who read, in turns
    ///   between which others can write.
    /// - Throws: ``StoreError``, and `CancellationError` between two turns.
    func bringLogIn(isEmptied: Bool) async throws {
        // Keeps nobody from writing, and leaves little to what follows, which does.
        try await writeWithoutTransaction { db in _ = try Self.bringLogIn(.passive, db) }
        guard isEmptied else { return }
        for turn in 1...Self.turns {
            if try await emptyLog() || turn == Self.turns { return }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Waits a part of the busy timeout for those who read the log; nobody can write meanwhile.
    ///
    /// - Returns: whether nothing is left in it.
    private func emptyLog() async throws -> Bool {
        try await writeWithoutTransaction { db in
            let timeout = try Int.fetchOne(db, sql: "PRAGMA busy_timeout") ?? 0
            try db.execute(sql: "PRAGMA busy_timeout = \(timeout / Self.turns)")
            let isEmpty = Result { try Self.bringLogIn(.truncate, db) }
            try db.execute(sql: "PRAGMA busy_timeout = \(timeout)")
            return try isEmpty.get()
        }
    }

    /// Closes the file; every later call throws.
    ///
    /// What still stands in the log beside the file is brought into it, as far as nobody else reads it.
    ///
    /// - Throws: ``StoreError`` when the file cannot be written.
    package func close() throws(StoreError) {
        do {
            // The log goes by the name: beside a store that was replaced stands the new one's.
            if !pool.configuration.readonly, try inode.isInPlace() {
                try pool.writeWithoutTransaction { db in
                    // Nobody who reads is waited for: then the log keeps what it has, and is read with the file.
                    try db.execute(sql: "PRAGMA busy_timeout = 0")
                    // A log that is left would be read before the file, and a damaged one as far as it is whole.
                    _ = try Self.bringLogIn(.truncate, db)
                }
            }
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
            // Another process is at it, or there is no room: the log has everything and is read with the file, and the last
            // process to close the store brings it in.
            return false
        }
    }
}

extension SQLiteStore: Store {
    package func watchPlace(onReplaced: @Sendable (any Error) -> Void) async {
        await watchPlace(every: .seconds(2), onReplaced: onReplaced)
    }
}

/// Transactions that end as they began, whether or not the task is cancelled.
///
/// GRDB's own `async` calls roll back in a cancelled task, and what a stopping run still has to save would be lost. What fails is
/// thrown as a ``StoreError`` that names `place`.
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

    /// What is `committed` runs on the same queue, once the transaction is durable.
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
