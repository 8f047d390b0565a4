import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLStorage

@Suite(.bounded, .postgreSQL) struct DeliveryRowsTests {
    @Test func aRecordTakesThePlaceOfTheRowThatWasThere() async throws {
        let store = try await StoreOnServer().open()
        let test = try StoreUnderTest { store }
        let run = Samples.run(platforms: [.apns])
        try await test.stage(Samples.names(3), of: run)
        _ = try await store.claimNext(run.id, platform: .apns, limit: 3)
        let waiting = Samples.record(2, .apns, .waiting, attempts: 4, isUncertain: true)
        try await store.record([waiting], requests: 1, of: run.id)
        // The last of several about one delivery counts, in whatever order they come.
        try await store.record(
            [
                Samples.record(3, .apns, .ended(.failed), attempts: 1),
                Samples.record(2, .apns, .waiting, attempts: 5, detail: "busy"),
                Samples.record(1, .apns, .ended(.rejected), attempts: 2, detail: "no"),
                Samples.record(
                    2, .apns, .ended(.accepted), attempts: 6, detail: "taken", hubMessage: "m-2"),
            ], requests: 4, of: run.id)
        let rows = try await test.report(run.id)
        #expect(rows.map(\.outcome) == [.rejected, .accepted, .failed])
        #expect(rows.map(\.attempts) == [2, 6, 1])
        #expect(rows.map(\.detail) == ["no", "taken", ""])
        #expect(rows.map(\.hubMessage) == [nil, "m-2", nil])
        #expect(try await store.number("SELECT count(*) FROM deliveries") == 3)
        #expect(try await store.run(run.id)?.requests == 5)
    }

    @Test func whatAServiceSaidIsKeptWhateverCharactersItHas() async throws {
        let store = try await StoreOnServer().open()
        let test = try StoreUnderTest { store }
        let run = Samples.run(platforms: [.apns])
        try await test.stage(Samples.names(2), of: run)
        _ = try await store.claimNext(run.id, platform: .apns, limit: 1)
        let said = "a\u{0}b\u{1}0 é \u{1F600}"
        try await store.record(
            [Samples.record(1, .apns, .ended(.failed), detail: said, hubMessage: said)],
            requests: 1, of: run.id)
        try await store.endRemaining(run.id, as: .skipped, detail: said, at: Samples.start)
        let rows = try await test.report(run.id)
        #expect(rows.map(\.detail) == [said, said])
        #expect(rows.map(\.hubMessage) == [said, nil])
    }
}
