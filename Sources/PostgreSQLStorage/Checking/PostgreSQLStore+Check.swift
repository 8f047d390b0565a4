package import CampaignCore
import PostgreSQLClient
package import Storage

extension PostgreSQLStore {
    /// The most faults of one kind that are listed.
    private static let most = 20

    package func verify(_ run: RunID) async throws {
        try await read(isLong: true) { db in
            guard try RunCheck(of: run, isThorough: false, db).faults.isEmpty else {
                throw DamagedValue()
            }
        }
    }

    /// Checks for damage that the server has found, its indexes, and all small tables.
    package func checkPages() async throws {
        try await read(isLong: true) { db in
            guard try Self.structureFaults(db).isEmpty else { throw DamagedValue() }
            for table in ["hubsend_schema", "runs", "run_platforms", "run_waves"] {
                // Reads each row, and with it each page.
                try db.forEachRow("SELECT * FROM \(table)") { _ in }
            }
        }
    }

    /// Reads everything, and reports faults; others can write meanwhile.
    package func check() async throws -> StoreHealth {
        var health = try await read(isLong: true, Self.outline)
        health.faults = try await read(isLong: true, Self.structureFaults)
        health.faults += try await read(isLong: true, Self.referenceFaults)
        // A transaction for each run, so that the server can clean up meanwhile.
        let runs = try await read { db in
            try db.rows("SELECT id FROM runs ORDER BY key").map { RunID(checked: try $0.text(0)) }
        }
        for id in runs {
            try Task.checkCancellation()
            let found = try await read(isLong: true) { db in
                let run = try RunCheck(of: id, isThorough: true, db)
                return (recipients: run.recipients, outcomes: run.outcomes, faults: run.faults)
            }
            health.runs += 1
            health.recipients += found.recipients
            health.outcomes += found.outcomes
            health.faults += found.faults
        }
        try await checkPayloadKey()
        return health
    }

    private static func outline(_ db: PostgreSQLConnection) throws -> StoreHealth {
        let row = try db.row(
            """
            SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint,
                current_setting('data_checksums'),
                (SELECT count(*) FROM registrations WHERE username <> '')
            FROM pg_class c
            WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(current_schema()::text)
            """)
        guard let row else { throw DamagedValue() }
        var health = StoreHealth(bytes: try row.int(0), hasChecksums: try row.text(1) == "on")
        health.registrations = try row.int(2)
        return health
    }

    /// Damage that the server reports: pages with a wrong checksum, and invalid indexes.
    private static func structureFaults(_ db: PostgreSQLConnection) throws -> [StoreFault] {
        let failures = try db.row(
            """
            SELECT checksum_failures FROM pg_stat_database
            WHERE datname = current_database() AND checksum_failures > 0
            """)
        let indexes = try db.rows(
            """
            SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            JOIN pg_class t ON t.oid = i.indrelid
            WHERE c.relnamespace = (SELECT relnamespace FROM pg_class
                    WHERE oid = 'hubsend_schema'::regclass)
                AND NOT (i.indisvalid AND i.indisready) LIMIT \(most)
            """)
        return try failures.map { row in
            [
                .structure(
                    "PostgreSQL has found pages of this database with a wrong checksum (\(try row.int64(0)) times)"
                )
            ]
        } ?? []
            + indexes.map { .structure("PostgreSQL does not use the index \(try $0.text(0))") }
    }

    private static func referenceFaults(_ db: PostgreSQLConnection) throws -> [StoreFault] {
        // These name no parent in the schema, so that writing them does not look for it.
        try (StoreSchema.partitioned + ["notification_ids", "claimed_pages"]).filter { table in
            try db.row(
                """
                SELECT 1 FROM \(table) t
                WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.key = t.run) LIMIT 1
                """) != nil
        }.map { .reference(from: $0, to: "runs") }
    }
}
