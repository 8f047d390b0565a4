package import CampaignCore

package struct RunCheck: Sendable {
    private(set) var recipients = 0
    private(set) var outcomes = 0
    package private(set) var damage: [StoreDamage] = []

    /// Tables with a row for each of a run's people.
    static let tables = ["recipients", "notifications", "deliveries", "receipts", "telemetry"]

    /// Checks all rows of a run; a thorough check includes expensive checks and the index of ids.
    package init(of id: RunID, isThorough: Bool, _ db: any SQLConnection) throws {
        let run = try StoredRun(of: id, db)
        func count(_ table: String) throws -> Int {
            try db.row("SELECT count(*) FROM \(table) WHERE run = ?1", [run.key]) {
                try $0.int(0)
            } ?? 0
        }
        func exists(_ table: String, _ condition: String) throws -> Bool {
            try db.hasRow(
                "SELECT 1 FROM \(table) WHERE run = ?1 AND (\(condition)) LIMIT 1", [run.key])
        }
        recipients = try count("recipients")
        outcomes = try count("deliveries")
        // While a run is being staged, its tables need not agree yet.
        guard !run.isBeingStaged else { return }
        guard run.deliveriesDeleted == nil else {
            do {
                _ = try RunSums.kept(of: run, db)
            } catch is DamagedValue {
                damage.append(.run(id))
            }
            // Only the totals of the run are left.
            guard try exists("run_sums", "NOT is_begun") else { return }
            for table in Self.tables + db.furtherTables where try exists(table, "true") {
                damage.append(.strangers(id, table: table))
            }
            return
        }
        if try !db.isWhole(run, recipients: recipients, isThorough: isThorough) {
            damage.append(.run(id))
        }
        for (table, condition) in Self.strangers + db.furtherStrangers
        where try exists(table, condition) {
            let found = StoreDamage.strangers(id, table: table)
            if !damage.contains(found) { damage.append(found) }
        }
        if try db.isPayloadLost(of: run) || isThorough && exists("notifications n", Self.isUnfound)
        {
            damage.append(.lostPayloads(id))
        }
    }

    /// For each table, the rows of the run `?1` whose recipient or platform does not exist.
    private static let strangers = [
        ("run_platforms", "claimed NOT BETWEEN 0 AND \(final)"),
        ("deliveries", "number NOT BETWEEN 1 AND \(final) OR \(isForeign)"),
        (
            "wave_claims",
            """
            \(isForeign) OR NOT EXISTS (SELECT 1 FROM run_waves w
                WHERE w.run = ?1 AND w.number = wave AND claimed BETWEEN w.first AND w.last)
            """
        ),
        ("receipts", "number NOT BETWEEN 1 AND \(final)"),
        ("notifications", "number > \(final)"),
    ]

    private static let final = "(SELECT final FROM runs WHERE key = ?1)"

    package static let isForeign =
        "platform NOT IN (SELECT position FROM run_platforms WHERE run = ?1)"

    private static let isUnfound = """
        NOT EXISTS (SELECT 1 FROM notification_ids i
            WHERE i.id = n.id AND i.run = n.run AND i.number = n.number)
        """
}
