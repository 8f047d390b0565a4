package import CampaignCore
import PostgreSQLClient
package import Storage

extension PostgreSQLStore {
    package func verify(_ run: RunID) async throws {
        try await read(isLong: true) { db in
            guard try RunCheck(of: run, isThorough: false, db).damage.isEmpty else {
                throw DamagedValue()
            }
        }
    }

    /// Checks for damage that the server has found, and checks its indexes and all small tables.
    package func checkPages() async throws {
        try await read(isLong: true) { db in
            guard try Self.structureDamage(db).isEmpty else { throw DamagedValue() }
            for table in ["hubsend_schema", "runs", "run_platforms", "run_waves"] {
                // Reading each row reads every page.
                try db.forEachRow("SELECT * FROM \(table)") { _ in }
            }
        }
    }

    package func structure() async throws -> (health: StoreHealth, isReadable: Bool) {
        try await read(isLong: true) { db in
            let row = try db.row(
                """
                SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint,
                    current_setting('data_checksums')
                FROM pg_class c
                WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(current_schema()::text)
                """)
            guard let row else { throw DamagedValue() }
            var health = StoreHealth(bytes: try row.int(0), hasChecksums: try row.text(1) == "on")
            health.damage = try Self.structureDamage(db)
            return (health, true)
        }
    }

    /// Damage that the server reports: pages with a wrong checksum, and invalid indexes.
    private static func structureDamage(_ db: PostgreSQLConnection) throws -> [StoreDamage] {
        let failures = try db.rows(
            """
            SELECT checksum_failures FROM pg_stat_database
            WHERE datname = current_database() AND checksum_failures > 0
            """
        ) { row in
            """
            PostgreSQL has found pages of this database with a wrong checksum (\(try row.int64(0)) times)
            """
        }
        let indexes = try db.rows(
            """
            SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            JOIN pg_class t ON t.oid = i.indrelid
            WHERE c.relnamespace = (SELECT relnamespace FROM pg_class
                    WHERE oid = 'hubsend_schema'::regclass)
                AND NOT (i.indisvalid AND i.indisready) LIMIT 20
            """
        ) { "PostgreSQL does not use the index \(try $0.text(0))" }
        return (failures + indexes).map(StoreDamage.structure)
    }
}
