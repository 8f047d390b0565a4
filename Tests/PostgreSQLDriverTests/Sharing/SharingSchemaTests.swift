import PostgreSQLClient
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct SharingSchemaTests {
    @Test("Versions without shared runs cannot use the store")
    func versionsWithoutSharedRunsCannotUseTheStore() {
        #expect((1...5).map(StoreSchema.leastVersion) == [1, 1, 3, 3, 5])
        #expect(StoreSchema.leastVersion(with: 6) == 5)
        #expect(StoreSchema.leastVersion(with: 9) == 8)
    }

    @Test("After the migration, claims of unfinished runs belong to no part")
    func afterTheMigrationClaimsOfUnfinishedRunsBelongToNoPart() async throws {
        let server = try await StoreOnServer()
        let before = StoreSchema.steps.prefix(2).map(\.sql).joined(separator: "\n")
        try await server.execute(
            """
            \(StoreSchema.ownTable)
            INSERT INTO hubsend_schema VALUES (true, 2, 1, 'a store');
            \(before)
            INSERT INTO runs (key, id, campaign, hub, occurrence, is_rehearsal, state, kind,
                is_message_private, campaign_path, delivery, fingerprints, named, duplicate, excluded,
                final, requests, has_waves, started, expires)
            SELECT n, 'run' || n, 'c' || n, 'hub', 'once', false, s, 'rich', false, '', '{}', '{}', 0,
                0, 0, 100, 0, w, 0, 0
            FROM (VALUES (1, 'running', false), (2, 'paused', true), (3, 'finished', false),
                (4, 'running', false)) v (n, s, w);
            INSERT INTO run_platforms VALUES (1, 0, 'apns', 40, 9), (1, 1, 'fcm', 0, 0),
                (2, 0, 'apns', 75, 9), (3, 0, 'apns', 100, 9), (4, 0, 'apns', 0, 0);
            INSERT INTO run_waves VALUES (2, 1, 1, 50, '{}', '[]'), (2, 2, 51, 80, '{}', '[]'),
                (2, 3, 81, 100, '{}', '[]');
            INSERT INTO wave_claims VALUES (2, 0, 1, 50), (2, 0, 2, 75);
            """)
        let store = try server.open()
        let pages = try await store.read { db in
            try db.rows(
                """
                SELECT run, platform, first, last FROM claimed_pages
                WHERE member IS NULL AND serial IS NULL ORDER BY run, platform, first
                """
            ).map { row in try (0..<4).map { try row.int($0) } }
        }
        #expect(pages == [[1, 0, 1, 40], [2, 0, 1, 50], [2, 0, 51, 75]])
        #expect(try await store.number("SELECT least_version FROM hubsend_schema") == 7)
    }
}
