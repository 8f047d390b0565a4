import CampaignCore
import GRDB
package import Storage

extension SQLiteStore {
    /// The most faults of one kind that are listed.
    private static let most = 20

    /// Reads everything, and reports faults; others can write meanwhile.
    package func check() async throws -> StoreHealth {
        var health = StoreHealth(bytes: try inode.size())
        health.faults = try await read(Self.pageFaults)
        // Damaged pages say nothing more.
        guard health.faults.isEmpty else { return health }
        health.faults = try await read(Self.referenceFaults)
        health.registrations = try await read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM registrations WHERE user <> ''") ?? 0
        }
        // A transaction for each run, so that the log does not grow during all of it.
        for key in try await read({ db in
            try Int64.fetchAll(db, sql: "SELECT key FROM runs ORDER BY key")
        }) {
            try Task.checkCancellation()
            guard let run = try await read({ db in try CheckedRun(key, db) }) else { continue }
            health.runs += 1
            health.recipients += run.recipients
            health.outcomes += run.outcomes
            health.faults += run.faults
        }
        try await checkPayloadKey()
        return health
    }

    private static func pageFaults(_ db: Database) throws -> [StoreFault] {
        try String.fetchAll(db, sql: "PRAGMA integrity_check(\(most))")
            .filter { $0 != "ok" }.map { .structure("SQLite: \($0)") }
    }

    private static func referenceFaults(_ db: Database) throws -> [StoreFault] {
        let broken = try Row.fetchAll(
            db,
            sql: "SELECT DISTINCT \"table\", parent FROM pragma_foreign_key_check LIMIT \(most)")
        // These name no parent in the schema (``StoreSchema``), so that SQLite does not look for it.
        let orphaned = try [
            "recipients", "notifications", "notification_ids", "deliveries", "receipts",
        ].filter { table in
            try Row.fetchOne(
                db, sql: "SELECT 1 FROM \(table) WHERE run NOT IN (SELECT key FROM runs) LIMIT 1")
                != nil
        }
        return broken.map { StoreFault.reference(from: $0[0], to: $0[1]) }
            + orphaned.map { StoreFault.reference(from: $0, to: "runs") }
    }
}

private struct CheckedRun {
    private(set) var recipients = 0
    private(set) var outcomes = 0
    private(set) var faults: [StoreFault] = []

    /// nil when the run no longer exists.
    init?(_ key: Int64, _ db: Database) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT id, state, final FROM runs WHERE key = ?", arguments: [key])
        guard let row else { return nil }
        let id = RunID(checked: row[0])
        func count(_ query: String) throws -> Int {
            try Int.fetchOne(db, sql: query, arguments: [key]) ?? 0
        }
        recipients = try count("SELECT count(*) FROM recipients WHERE run = ?")
        outcomes = try count("SELECT count(*) FROM deliveries WHERE run = ?")
        // While a run is being staged, nothing has to agree yet.
        guard row[1] as String != RunState.staging.rawValue else { return }
        let stored = try StoredRun(of: id, db)
        do {
            if try RunSums.kept(of: stored, db) == nil { try RunDigests.check(key, db) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            faults.append(.run(id))
        } catch is DamagedValue {
            faults.append(.run(id))
        }
        let final: Int = row[2]
        for (table, condition) in [
            ("run_platforms", "claimed NOT BETWEEN 0 AND \(final)"),
            (
                "deliveries",
                """
                number NOT BETWEEN 1 AND \(final)
                    OR platform NOT IN (SELECT position FROM run_platforms WHERE run = ?1)
                """
            ),
            (
                "wave_claims",
                """
                platform NOT IN (SELECT position FROM run_platforms WHERE run = ?1)
                    OR NOT EXISTS (SELECT 1 FROM run_waves w
                        WHERE w.run = ?1 AND w.number = wave AND claimed BETWEEN w.first AND w.last)
                """
            ),
            ("receipts", "number NOT BETWEEN 1 AND \(final)"),
            ("notifications", "number > \(final)"),
        ]
        where try count("SELECT EXISTS (SELECT 1 FROM \(table) WHERE run = ?1 AND (\(condition)))")
            > 0
        {
            faults.append(.strangers(id, table: table))
        }
        if try count(Self.lost) > 0 { faults.append(.lostPayloads(id)) }
        guard stored.deliveriesDeleted != nil,
            try count("SELECT EXISTS (SELECT 1 FROM run_sums WHERE run = ? AND is_begun = 0)") > 0
        else { return }
        for table in ["recipients", "notifications", "deliveries", "receipts", "telemetry"]
        where try count("SELECT EXISTS (SELECT 1 FROM \(table) WHERE run = ?)") > 0 {
            faults.append(.strangers(id, table: table))
        }
    }

    private static let lost = """
        SELECT EXISTS (
            SELECT 1 FROM notifications n
            LEFT JOIN notification_ids i ON i.id = n.id AND i.run = n.run AND i.number = n.number
            WHERE n.run = ? AND i.id IS NULL)
        """
}
