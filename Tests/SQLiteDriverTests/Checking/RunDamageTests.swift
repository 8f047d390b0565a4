import CampaignCore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct RunDamageTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "A row changed by another program is reported as damage",
        arguments: [
            "UPDATE recipients SET name = 'user-00001x' WHERE number = 1",
            "DELETE FROM recipients WHERE number = 9",
            "UPDATE recipients SET notification = -1 WHERE number = 2",
            "UPDATE notifications SET language = 'de'",
            "UPDATE notifications SET texts = x'01'",
            "UPDATE runs SET push_options = '{}'",
            "UPDATE notifications SET id = iif(id < 'b', 'b', 'a') || substr(id, 2)",
            "UPDATE notifications SET message = 'Ho'",
            "UPDATE notifications SET revoked = 0",
            "UPDATE contents SET bytes = x'00'",
            "DELETE FROM contents",
            "UPDATE deliveries SET state = 0 WHERE number = 1",
            "UPDATE deliveries SET number = 5 WHERE number = 3",
            "DELETE FROM deliveries WHERE number = 2",
            "DELETE FROM deliveries",
            "UPDATE deliveries SET detail = 'x' WHERE number = 4",
            "UPDATE deliveries SET skip_reason = 1 WHERE number = 4",
            "UPDATE run_platforms SET claimed = 0 WHERE claimed > 0",
            "UPDATE runs SET final = 8",
            "UPDATE runs SET hub = 'https://elsewhere/hub'",
            "UPDATE runs SET requests = -1",
            "UPDATE runs SET resumes = 1",
            "INSERT INTO run_waves SELECT key, 1, 1, 9, '{\"windows\":[]}', '[]' FROM runs",
            "INSERT INTO wave_claims SELECT key, 1, 1, 4 FROM runs",
        ])
    func rowChangedByAnotherProgramIsReportedAsDamage(change: String) async throws {
        let store = try await halfDone()
        try await store.verify(Samples.runID())
        try await damage(store, change)
        await #expect(throws: StoreError.corrupt(place)) {
            try await store.verify(Samples.runID())
        }
    }

    @Test(
        "A wave changed by another program is reported as damage",
        arguments: [
            "UPDATE run_waves SET turn = replace(turn, '1', '2') WHERE number = 2",
            "UPDATE run_waves SET zones = '[]' WHERE number = 1",
            "UPDATE run_waves SET last = 8 WHERE number = 2",
            "DELETE FROM run_waves WHERE number = 2",
            "DELETE FROM run_waves",
            "UPDATE wave_claims SET claimed = 1 WHERE wave = 1",
            "UPDATE wave_claims SET wave = 2 WHERE wave = 1 AND platform = 0",
            "DELETE FROM wave_claims WHERE wave = 1",
            "DELETE FROM wave_claims",
            "INSERT INTO wave_claims SELECT key, 0, 2, 6 FROM runs",
            "UPDATE run_platforms SET waves_digest = NULL",
            "UPDATE runs SET waves_digest = NULL",
        ])
    func waveChangedByAnotherProgramIsReportedAsDamage(change: String) async throws {
        let store = try SQLiteStore.open(at: path)
        try await StoreUnderTest { store }.stage(inWavesOf: [5, 4])
        let run = Samples.runID()
        for (platform, wave) in [(Platform.fcm, 1), (.apns, 1), (.apns, 2)] {
            _ = try await store.claimNext(run, platform: platform, wave: wave, limit: 2)
        }
        try await store.verify(run)
        try await damage(store, change)
        await #expect(throws: StoreError.corrupt(place)) { try await store.verify(run) }
    }

    /// SQLite drops the checksum triggers when temporary tables move.
    @Test("Rows get checksums wherever temporary tables are stored", arguments: ["MEMORY", "FILE"])
    func rowsGetChecksumsWhereverTemporaryTablesAreStored(place: String) async throws {
        let store = try await halfDone()
        try await store.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA temp_store = DEFAULT; PRAGMA temp_store = \(place)")
        }
        try await store.record(
            [Samples.record(5, .apns, .ended(.accepted))], requests: 1, of: Samples.runID())
        try await store.verify(Samples.runID())
        #expect(try await store.run(Samples.runID())?.requests == 5)
    }

    @Test("A changed row of a run is found when the store is opened")
    func changedRowOfARunIsFoundWhenTheStoreIsOpened() async throws {
        let store = try await halfDone()
        try await damage(store, "UPDATE runs SET campaign = 'spring-salt'")
        try store.close()
        #expect(throws: StoreError.corrupt(place)) { try SQLiteStore.open(at: path) }
        #expect(throws: StoreError.corrupt(place)) { try SQLiteStore.openForReading(at: path) }
    }

    @Test(
        "Tables with an unexpected definition are reported as damage",
        arguments: [
            "ALTER TABLE deliveries ADD COLUMN odd INTEGER",
            "DROP INDEX deliveries_open",
            "DROP TABLE receipts",
        ])
    func tablesWithAnUnexpectedDefinitionAreReportedAsDamage(change: String) async throws {
        let store = try await halfDone()
        try await store.pool.write { try $0.execute(sql: change) }
        try store.close()
        #expect(throws: StoreError.corrupt(place)) { try SQLiteStore.open(at: path) }
    }

    @Test(
        "An invalid name or ID is never sent",
        arguments: [
            "UPDATE recipients SET name = 'al ice' WHERE number = 6",
            "UPDATE notifications SET id = 'nonotanid'",
        ])
    func invalidNameOrIDIsNeverSent(change: String) async throws {
        let store = try await halfDone()
        try await store.pool.write { try $0.execute(sql: change) }
        await #expect(throws: StoreError.corrupt(place)) {
            _ = try await store.claimNext(Samples.runID(), platform: .apns, limit: 9)
        }
    }

    @Test("Deliveries without a recipient abort the report")
    func deliveriesWithoutARecipientAbortTheReport() async throws {
        let store = try await halfDone()
        let whole = try await store.reportPage(Samples.runID(), after: 0, recipients: 9)
        #expect(Set(whole.rows.map(\.recipient)).count == 9)
        try await damage(store, "DELETE FROM recipients WHERE number = 2")
        await #expect(throws: StoreError.corrupt(place)) {
            _ = try await store.reportPage(Samples.runID(), after: 0, recipients: 9)
        }
    }

    @Test("More outcomes than deliveries are reported as damage")
    func moreOutcomesThanDeliveriesAreReportedAsDamage() async throws {
        let store = try await halfDone()
        try await store.pool.write { try $0.execute(sql: "UPDATE runs SET final = 1") }
        await #expect(throws: StoreError.corrupt(place)) {
            _ = try await store.outcomes(Samples.runID())
        }
    }

    @Test("A statement refused by a damaged store is not reported as a bug")
    func statementRefusedByADamagedStoreIsNotReportedAsABug() async throws {
        let store = try await halfDone()
        try await store.pool.write { db in
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema SET sql = replace(sql, 'handle', 'handel')
                        WHERE name = 'registrations';
                    PRAGMA writable_schema = OFF
                    """)
        }
        try store.close()
        #expect(throws: StoreError.corrupt(place)) { try SQLiteStore.open(at: path) }
    }

    @Test("A run started by an older version can be continued")
    func runStartedByAnOlderVersionCanBeContinued() async throws {
        try await halfDone().close()
        try await change(
            """
                \(Self.withoutLanguages);
                ALTER TABLE runs DROP COLUMN seal;
                ALTER TABLE runs DROP COLUMN deliveries_digest;
                ALTER TABLE runs DROP COLUMN notifications_digest;
                ALTER TABLE runs DROP COLUMN recipients_digest;
                ALTER TABLE run_platforms DROP COLUMN seal;
                ALTER TABLE notifications DROP COLUMN byte_count;
                DROP TABLE progress;
                DELETE FROM grdb_migrations WHERE identifier IN ('digests', 'payload sizes');
            """)
        try FileManager.default.removeItem(atPath: path + ".mark")
        let later = try SQLiteStore.open(at: path)
        try await later.verify(Samples.runID())
        let claims = try await later.claimNext(Samples.runID(), platform: .apns, limit: 9)
        #expect(claims.map(\.number) == [6, 7, 8, 9])
        try await later.record(
            claims.map { Samples.record($0.number, .apns, .ended(.accepted)) }, requests: 4,
            of: Samples.runID())
        try later.close()
        try await SQLiteStore.open(at: path).verify(Samples.runID())
    }

    /// Checksums from before the language columns are still valid.
    @Test("A run from before languages were supported passes verification")
    func runFromBeforeLanguagesWereSupportedPassesVerification() async throws {
        try await halfDone().close()
        try await change(Self.withoutLanguages)
        let later = try SQLiteStore.open(at: path)
        try await later.verify(Samples.runID())
        try await damage(later, "UPDATE recipients SET notification = -1 WHERE number = 7")
        await #expect(throws: StoreError.corrupt(place)) {
            try await later.verify(Samples.runID())
        }
    }

    /// Removes everything added by the language step and later steps.
    private static let withoutLanguages = """
        \(EarlierSchema.withoutLastStep)
        ALTER TABLE notifications DROP COLUMN texts;
        ALTER TABLE notifications DROP COLUMN language;
        DROP INDEX recipients_by_name;
        ALTER TABLE recipients DROP COLUMN notification;
        ALTER TABLE runs DROP COLUMN push_options;
        ALTER TABLE runs DROP COLUMN plan;
        ALTER TABLE runs DROP COLUMN pause;
        ALTER TABLE runs DROP COLUMN resumes;
        ALTER TABLE runs DROP COLUMN waves_digest;
        ALTER TABLE runs DROP COLUMN fallback_requests;
        ALTER TABLE run_platforms DROP COLUMN waves_digest;
        DROP TABLE schedules;
        DROP TABLE wave_claims;
        DROP TABLE run_waves;
        DROP TABLE telemetry;
        DROP TABLE troubles;
        DROP TABLE run_sums;
        DROP INDEX runs_unfinished;
        DROP INDEX runs_with_deliveries;
        DROP INDEX runs_with_payloads;
        ALTER TABLE runs DROP COLUMN deliveries_deleted;
        ALTER TABLE runs DROP COLUMN started_by;
        DELETE FROM grdb_migrations
        WHERE identifier IN ('languages', 'plans of runs', 'schedules', 'waves', 'telemetry',
            'fallbacks', 'troubles told', 'sums of runs',
            'who started runs', 'recipients by name')
        """
}
