import PostgreSQLClient
package import Storage

extension PostgreSQLStore {
    /// How many times, and at what interval, to check for readers of a run.
    private static let pause = Duration.milliseconds(50)
    private static let mostLooks = 100

    /// Transactions are not cut short and have no pauses, because others can write in the meantime.
    package var pace: WritePace {
        WritePace(most: TransactionLimit.rows, mostBytes: 16 << 20, clock: nil)
    }

    package func removeTables(of run: Int64) async throws -> Bool {
        if RunPartitions.has(run), try await !removePartitions(of: run) { return false }
        try await write { db in
            try db.hold(run)
            for table in ["revoked_notifications", "run_contents", "claimed_pages", "run_members"] {
                try db.execute("DELETE FROM \(table) WHERE run = $1", [run])
            }
        }
        return true
    }

    /// Drops a run's partitions once nobody reads them; returns false if somebody continues to
    /// read.
    private func removePartitions(of run: Int64) async throws -> Bool {
        let readers = try await withoutTransaction { db in try RunPartitions.readers(db) }
        var looks = 0
        while try await !withoutTransaction({ db in try RunPartitions.areOver(readers, db) }) {
            looks += 1
            guard looks < Self.mostLooks else { return false }
            try await Task.sleep(for: Self.pause)
        }
        do {
            try await withoutTransaction { db in try RunPartitions.remove(of: run, db) }
            return true
        } catch StoreError.locked {
            return false
        }
    }

    /// Leaves free space to the server.
    ///
    /// Partitions are dropped with their files, and the server's vacuum reuses the room of deleted
    /// rows. Shrinking files would lock everybody out (`VACUUM FULL`), which is for the operator to
    /// decide.
    package func giveSpaceBack(
        isBrief: Bool, rewriting: @Sendable (_ bytes: Int) -> Void
    ) async throws -> StoreSpace {
        StoreSpace()
    }
}
