import PostgreSQLClient
import Storage

extension RunPartitions {
    /// Drops those of a run whose deliveries are deleted; what an earlier call left halfway, this one ends.
    ///
    /// Others go on reading and writing all other runs meanwhile: a partition is first taken out of its table beside their work
    /// (PostgreSQL documentation, ALTER TABLE, `DETACH PARTITION … CONCURRENTLY`), which waits for whoever uses the table just then.
    /// The server does not do that within a transaction, nor for two partitions of a table at once.
    ///
    /// - Parameters:
    ///   - key: the run's.
    ///   - db: a connection outside of transactions.
    /// - Throws: ``PostgreSQLError``; of the kind `lockTimeout` when somebody uses a table for longer than is waited.
    static func remove(of key: Int64, _ db: PostgreSQLConnection) throws {
        for table in StoreSchema.partitioned {
            let name = name(of: table, key: key)
            guard let found = try db.row(Self.attachment, [name]) else { continue }
            if let isPending = try found.optionalBool(0) {
                let ending = isPending ? "FINALIZE" : "CONCURRENTLY"
                try db.executeScript("ALTER TABLE \(table) DETACH PARTITION \(name) \(ending)")
            }
            try db.executeScript("DROP TABLE \(name)")
        }
    }

    /// Whether a table of a name is half taken out of the one that it is a part of; null: it is a part of none.
    private static let attachment = """
        SELECT i.inhdetachpending FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
        WHERE c.oid = to_regclass($1)
        """
}

/// The transactions that have read which runs there are, and may be about to read the rows of one.
///
/// They see runs as these were when they began. A partition that is dropped is gone for them too, and they would take its run for one
/// of nobody: so it is dropped when they are over.
struct RunReaders {
    private var transactions: [String]

    /// Those of this moment; the server's own vacuuming, which has this lock alone, reads no run.
    init(_ db: PostgreSQLConnection) throws {
        transactions = try db.rows(
            """
            SELECT DISTINCT virtualtransaction FROM pg_locks
            WHERE relation = 'runs'::regclass AND pid <> pg_backend_pid()
                AND mode <> 'ShareUpdateExclusiveLock'
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        ).map { try $0.text(0) }
    }

    /// Whether all of them are over.
    func areOver(_ db: PostgreSQLConnection) throws -> Bool {
        guard !transactions.isEmpty else { return true }
        let query = "SELECT 1 FROM pg_locks WHERE virtualtransaction = ANY($1) LIMIT 1"
        return try db.row(query, [transactions]) == nil
    }
}
