import PostgreSQLClient
import Storage

extension RunPartitions {
    /// Drops the partitions of a run whose deliveries have been deleted, and completes an
    /// interrupted call.
    ///
    /// All other runs can be used in the meantime: a partition is first detached concurrently
    /// (PostgreSQL documentation, ALTER TABLE, `DETACH PARTITION … CONCURRENTLY`), which waits for
    /// current users of the table, and throws after the lock timeout. Detaching requires a
    /// connection outside a transaction, and only one partition at a time can be detached.
    static func remove(of key: Int64, _ db: PostgreSQLConnection) throws {
        // Small runs share partitions.
        guard has(key) else { return }
        for table in StoreSchema.partitioned {
            let name = Self.table(table, of: key)
            guard let found = try db.row(Self.attachment, [name]) else { continue }
            if let isPending = try found.optionalBool(0) {
                let ending = isPending ? "FINALIZE" : "CONCURRENTLY"
                try db.executeScript("ALTER TABLE \(table) DETACH PARTITION \(name) \(ending)")
            }
            try db.executeScript("DROP TABLE \(name)")
        }
    }

    /// Whether the detachment of a table is pending; null if it is not a partition.
    private static let attachment = """
        SELECT i.inhdetachpending FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
        WHERE c.oid = to_regclass($1)
        """

    /// The transactions that have read which runs exist and may be about to read rows of a run.
    ///
    /// These transactions would see a run without rows if its partition were dropped, so the
    /// partition is dropped only after they have ended. A vacuum, which holds only this lock, does
    /// not read runs.
    static func readers(_ db: PostgreSQLConnection) throws -> [String] {
        try db.rows(
            """
            SELECT DISTINCT virtualtransaction FROM pg_locks
            WHERE relation = 'runs'::regclass AND pid <> pg_backend_pid()
                AND mode <> 'ShareUpdateExclusiveLock'
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        ) { try $0.text(0) }
    }

    static func areOver(_ readers: [String], _ db: PostgreSQLConnection) throws -> Bool {
        let query = "SELECT 1 FROM pg_locks WHERE virtualtransaction = ANY($1) LIMIT 1"
        return try db.row(query, [readers]) == nil
    }
}
