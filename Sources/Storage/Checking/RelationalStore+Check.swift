import CampaignCore

extension RelationalStore where Self: UpkeepDriver {
    /// Reads everything and reports damage; other processes can write in the meantime.
    package func check() async throws -> StoreHealth {
        var (health, isReadable) = try await structure()
        // If pages are damaged, nothing more can be checked.
        guard isReadable else { return health }
        let (registrations, references, runs) = try await query(isLong: true) { db in
            (
                try db.row(
                    "SELECT count(*) FROM registrations WHERE \(db.dialect.owner) <> ''"
                ) { try $0.int(0) } ?? 0,
                try Self.brokenReferences(db),
                try db.rows("SELECT id FROM runs ORDER BY key") { RunID(checked: try $0.text(0)) }
            )
        }
        health.registrations = registrations
        health.damage += references
        // Each run has a transaction, so that the store can clean up in the meantime.
        for id in runs {
            try Task.checkCancellation()
            let run = try await query(isLong: true) { db in
                try RunCheck(of: id, isThorough: true, db)
            }
            health.runs += 1
            health.recipients += run.recipients
            health.outcomes += run.outcomes
            health.damage += run.damage
        }
        try await checkPayloadKey()
        return health
    }

    private static func brokenReferences(_ db: any SQLConnection) throws -> [StoreDamage] {
        // These tables have no foreign keys, so that inserts need not look up the parent.
        let orphaned = try (RunCheck.tables + ["notification_ids"] + db.furtherTables).filter {
            try db.hasRow(
                """
                SELECT 1 FROM \($0) t
                WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.key = t.run) LIMIT 1
                """)
        }
        return try db.brokenReferences() + orphaned.map { .reference(from: $0, to: "runs") }
    }
}
