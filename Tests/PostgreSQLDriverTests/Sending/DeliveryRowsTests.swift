import CampaignCore
import FoundationEssentials
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct DeliveryRowsTests {
    @Test("A record of a delivery replaces the existing row")
    func recordOfADeliveryReplacesTheExistingRow() async throws {
        let store = try await StoreOnServer().open()
        let test = try StoreUnderTest { store }
        let run = Samples.run(platforms: [.apns])
        try await test.stage(Samples.names(3), of: run)
        _ = try await store.claimNext(run.id, platform: .apns, limit: 3)
        let waiting = Samples.record(2, .apns, .waiting, attempts: 4, isUncertain: true)
        try await store.record([waiting], requests: 1, of: run.id)
        // If several records are about one delivery, the latest one is used, whatever their order.
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

    @Test("A push service's response is stored, whatever characters it contains")
    func pushServicesResponseIsStoredWhateverCharactersItContains() async throws {
        let store = try await StoreOnServer().open()
        let test = try StoreUnderTest { store }
        let run = Samples.run(platforms: [.apns])
        try await test.stage(Samples.names(2), of: run)
        _ = try await store.claimNext(run.id, platform: .apns, limit: 1)
        let said = "a\u{0}b\u{1}0 é \u{1F600}"
        try await store.record(
            [Samples.record(1, .apns, .ended(.failed), detail: said, hubMessage: said)],
            requests: 1, of: run.id)
        try await store.endRemaining(
            run.id, as: .skipped, because: nil, detail: said, at: Samples.start)
        let rows = try await test.report(run.id)
        #expect(rows.map(\.detail) == [said, said])
        #expect(rows.map(\.hubMessage) == [said, nil])
    }

    @Test("A large batch writes both new and existing outcomes")
    func largeBatchWritesBothNewAndExistingOutcomes() async throws {
        let store = try await StoreOnServer().open()
        let test = try StoreUnderTest { store }
        let run = Samples.run(platforms: [.apns, .fcm])
        let count = 3 * DeliveryRows.copiedFrom
        try await test.stage(Samples.names(count), of: run)
        for platform in run.platforms {
            _ = try await store.claimNext(run.id, platform: platform, limit: count)
        }
        // Every third delivery on one platform and the first on the other, so that the recorded
        // rows have gaps.
        let waiting = stride(from: 3, through: count, by: 3).map {
            Samples.record($0, .apns, .waiting, attempts: 1)
        }
        try await store.record(
            waiting + [Samples.record(1, .fcm, .waiting, attempts: 1)], requests: 0, of: run.id)
        // All deliveries on one platform, but only the first and the last on the other, so that
        // those rows are far apart.
        let ended = (1...count).map {
            Samples.record($0, .apns, .ended(.accepted), attempts: 2, hubMessage: "a-\($0)")
        }
        let others = [1, count].map { Samples.record($0, .fcm, .ended(.failed), attempts: 3) }
        try await store.record(others + ended.reversed(), requests: 7, of: run.id)
        #expect(try await store.number("SELECT count(*) FROM deliveries") == count + 2)
        let kept = """
            SELECT count(*) FROM deliveries
            WHERE (platform = 0 AND attempts = 2 AND hub_message = 'a-' || number)
                OR (platform = 1 AND attempts = 3 AND hub_message IS NULL)
            """
        #expect(try await store.number(kept) == count + 2)
        #expect(try await store.run(run.id)?.requests == 7)
    }

    @Test("All hosts that write the same large batch succeed")
    func allHostsThatWriteTheSameLargeBatchSucceed() async throws {
        let server = try await StoreOnServer()
        let test = try StoreUnderTest { try server.open() }
        let run = Samples.run(platforms: [.apns])
        let count = 4 * DeliveryRows.copiedFrom
        try await test.stage(Samples.names(count), of: run)
        let hosts = try (0..<4).map { _ in try server.open() }
        _ = try await hosts[0].claimNext(run.id, platform: .apns, limit: count)
        let records = (1...count).map { Samples.record($0, .apns, .ended(.accepted)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for host in hosts {
                group.addTask { try await host.record(records, requests: 1, of: run.id) }
            }
            try await group.waitForAll()
        }
        #expect(try await hosts[0].number("SELECT count(*) FROM deliveries") == count)
        #expect(try await hosts[0].run(run.id)?.requests == 4)
    }
}
