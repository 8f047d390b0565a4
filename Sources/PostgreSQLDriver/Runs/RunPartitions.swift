import PostgreSQLClient
import Storage

/// The partitions of a large run, one for each table in ``StoreSchema/partitioned``.
enum RunPartitions {
    /// The part of a table with a run's rows; using it directly saves the server from routing rows
    /// and taking further locks.
    static func table(_ table: String, of run: Int64) -> String {
        guard StoreSchema.partitioned.contains(table) else { return table }
        return "\(table)_\(has(run) ? "\(run)" : "few")"
    }

    /// Whether a run has separate partitions, judging by its key.
    static func has(_ run: Int64) -> Bool { run >= StoreSchema.firstPartitionedKey }

    /// Returns an unused key; for a large run, a key with separate partitions.
    static func newRun(isLarge: Bool, _ db: PostgreSQLConnection) throws -> Int64 {
        let sequence = isLarge ? "'partitioned_keys'" : "pg_get_serial_sequence('runs', 'key')"
        guard let row = try db.row("SELECT nextval(\(sequence))") else { throw DamagedValue() }
        return try row.int64(0)
    }

    /// Creates empty partitions.
    ///
    /// `CREATE TABLE … PARTITION OF` would lock the partitioned table and make all others wait.
    /// Attaching a separate table takes only `SHARE UPDATE EXCLUSIVE`, which blocks other
    /// attachments until the transaction ends, so this must be the last step of the transaction.
    /// There is no default partition, which would be locked and scanned
    /// (``StoreSchema/firstPartitionedKey``). All callers take the tables in the same order, which
    /// prevents deadlocks.
    static func make(for key: Int64, _ db: PostgreSQLConnection) throws {
        let makings = StoreSchema.partitioned.map { table in
            """
            CREATE TABLE \(Self.table(table, of: key)) (LIKE \(table) INCLUDING ALL)
                WITH (\(StoreSchema.storage(of: table)));
            """
        }
        let attachments = StoreSchema.partitioned.map { table in
            """
            ALTER TABLE \(table) ATTACH PARTITION \(Self.table(table, of: key))
                FOR VALUES FROM (\(key)) TO (\(key + 1));
            """
        }
        try db.executeScript((makings + attachments).joined(separator: "\n"))
    }

    /// Prepares the partitions of a completely staged run for reading, outside of transactions.
    static func complete(_ run: StoredRun, _ db: PostgreSQLConnection) throws {
        guard has(run.key) else { return }
        // If it were filled entry by entry, the index of names would take a third of the server's
        // work for staging. Searches before this point read all rows.
        let people = table("recipients", of: run.key)
        try db.executeScript(
            "CREATE INDEX IF NOT EXISTS \(people)_by_name ON \(people) (run, name)")
        // By itself, the server updates its statistics only once a minute, and until then it would
        // plan for a million new rows as if there were none.
        for table in ["recipients", "notifications", "deliveries"] {
            try db.executeScript("ANALYZE \(Self.table(table, of: run.key))")
        }
    }
}
