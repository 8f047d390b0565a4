import CampaignCore
import PostgreSQLClient
import Storage

/// A run of another store that is copied into this one.
struct RunTransfer: Sendable {
    let id: RunID
    /// The run's key in the source.
    private let key: Int64
    private let isStaging: Bool
    /// The number of staged recipients.
    private let people: Int

    /// The tables of a run, each after the tables that it refers to.
    static let tables = [
        "run_platforms", "run_waves", "wave_claims", "recipients", "notifications", "deliveries",
        "receipts", "telemetry", "run_sums",
    ]

    /// The runs, oldest first.
    static func all(_ old: any SQLConnection) throws -> [RunTransfer] {
        try old.rows(
            """
            SELECT id, key, state, (SELECT count(*) FROM recipients WHERE run = runs.key)
            FROM runs ORDER BY key
            """
        ) { row in
            // A run with a damaged id could be copied but never read.
            guard let id = RunID(try row.text(0)) else { throw DamagedValue() }
            return RunTransfer(
                id: id, key: try row.int64(1),
                isStaging: try row.text(2) == RunState.staging.rawValue, people: try row.int(3))
        }
    }

    /// Writes the whole run in one transaction.
    func write(_ copy: TableCopy) throws {
        let db = copy.db
        let here = try RunPartitions.newRun(isLarge: people >= StoreSchema.partitionPeople, db)
        var copy = copy
        copy.run = (key, here)
        try copy.write("runs")
        if RunPartitions.has(here) {
            try db.execute("UPDATE runs SET has_partitions = true WHERE key = $1", [here])
            try RunPartitions.make(for: here, db)
        }
        copy.contents = try contents(copy.source, of: here, db)
        for table in Self.tables { try copy.write(table) }
        if !isStaging { try db.indexNotifications(of: here) }
        try ClaimedPages.addClaimed(of: here, db)
        try db.execute(
            """
            INSERT INTO revoked_notifications (run, number)
            SELECT run, number FROM notifications n
            WHERE run = $1 AND revoked IS NOT NULL AND \(PurgeRule.hasContent)
            """, [here])
    }

    /// This store's keys of the run's contents, by the source's keys; there is one for each file.
    private func contents(
        _ source: any StoreSource, of run: Int64, _ db: PostgreSQLConnection
    ) throws -> [Int64: Int64] {
        let known = try source.read { old in
            try old.rows(
                """
                SELECT DISTINCT content FROM notifications
                WHERE run = ?1 AND content IS NOT NULL
                """, [key]
            ) { try $0.int64(0) }
        }
        var keys: [Int64: Int64] = [:]
        for content in known {
            let bytes = try source.read { old in
                try old.row("SELECT bytes FROM contents WHERE key = ?1", [content]) {
                    try $0.bytes(0)
                }
            }
            guard let bytes else { throw DamagedValue() }
            keys[content] = try db.key(of: bytes, in: run)
        }
        return keys
    }
}
