import PostgreSQLClient

/// The partitions of a run's own, one of each table of ``StoreSchema/partitioned``.
enum RunPartitions {
    /// The name of a run's part of a partitioned table.
    ///
    /// Named directly, it spares the server the look for where each row belongs, and no other part is locked.
    static func table(_ table: String, of run: StoredRun) -> String {
        run.hasPartitions ? name(of: table, key: run.key) : "\(table)_few"
    }

    /// The same of the run with a key.
    static func table(_ table: String, of run: Int64) -> String {
        run >= StoreSchema.firstPartitionedKey ? name(of: table, key: run) : "\(table)_few"
    }

    static func name(of table: String, key: Int64) -> String { "\(table)_\(key)" }

    /// Makes them, empty.
    ///
    /// Others go on reading and writing all other runs meanwhile. `CREATE TABLE … PARTITION OF` would lock the partitioned table against
    /// everybody, wait for whoever uses it, and have all who come later wait behind. A table that is made by itself, and then attached,
    /// takes `SHARE UPDATE EXCLUSIVE` on it, which is in the way of nobody but others who attach or detach at that moment; it lasts until
    /// the transaction ends, so that this has to be the last that it does. There is no default partition, which would be locked
    /// and looked through (``StoreSchema/firstPartitionedKey``), and the new one is empty: there is nothing to look through in it either.
    /// All take the tables in the same order, so that two who do this never wait for each other.
    ///
    /// - Parameters:
    ///   - key: the run's.
    ///   - db: the connection, in a transaction.
    static func make(for key: Int64, _ db: PostgreSQLConnection) throws {
        let makings = StoreSchema.partitioned.map { table in
            """
            CREATE TABLE \(name(of: table, key: key)) (LIKE \(table) INCLUDING ALL)
                WITH (\(StoreSchema.storage(of: table)));
            """
        }
        let attachments = StoreSchema.partitioned.map { table in
            """
            ALTER TABLE \(table) ATTACH PARTITION \(name(of: table, key: key))
                FOR VALUES FROM (\(key)) TO (\(key + 1));
            """
        }
        try db.executeScript((makings + attachments).joined(separator: "\n"))
    }

    /// Makes those of a run ready to be read, of which all recipients are written down.
    ///
    /// - Parameters:
    ///   - run: the run; may be one without partitions of its own.
    ///   - db: a connection outside of transactions.
    static func complete(_ run: StoredRun, _ db: PostgreSQLConnection) throws {
        guard run.hasPartitions else { return }
        try index(run.key, db)
        try analyze(run.key, db)
    }

    /// Makes the index by which people are found by name.
    ///
    /// Entry by entry it would cost a third of all that staging costs the server, and more of its log. Who is looked for before is found
    /// by reading all.
    private static func index(_ key: Int64, _ db: PostgreSQLConnection) throws {
        let table = name(of: "recipients", key: key)
        try db.executeScript("CREATE INDEX IF NOT EXISTS \(table)_by_name ON \(table) (run, name)")
    }

    /// Lets the server see how many rows there are and how they are spread, before anybody reads them.
    ///
    /// By itself it looks once a minute, and in a million rows that have come since, it would go by what it knew of none.
    private static func analyze(_ key: Int64, _ db: PostgreSQLConnection) throws {
        for table in ["recipients", "notifications", "deliveries"] {
            try db.executeScript("ANALYZE \(name(of: table, key: key))")
        }
    }
}
