import CampaignCore
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

/// Tests deliveries skipped by an earlier version: only their detail gives the reason.
@Suite(.bounded) struct EarlierSkipsTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func skipEarlier() async throws {
        let store = try SQLiteStore.open(at: path)
        try await StoreUnderTest { store }.stage(
            Samples.names(9), of: Samples.run(platforms: [.apns]))
        let details = SkipReason.allCases.map { $0.detail("for a reason") } + ["too la"]
        try await store.record(
            details.enumerated().map {
                Samples.record($0 + 1, .apns, .ended(.skipped), detail: $1)
            } + [Samples.record(9, .apns, .ended(.failed), detail: "too late")],
            requests: 0, of: Samples.runID())
        try store.close()
        try await change(EarlierSchema.withoutLastStep)
    }

    @Test("Earlier skipped deliveries are counted by reason")
    func earlierSkippedDeliveriesAreCountedByReason() async throws {
        try await skipEarlier()
        let store = try SQLiteStore.open(at: path)
        try await store.verify(Samples.runID())
        let reasons = try await store.query { db in
            try db.rows("SELECT skip_reason FROM deliveries ORDER BY number") {
                try $0.optionalInt(0)
            }
        }
        #expect(reasons == SkipReason.allCases.map(\.number) + [nil, nil])
        try await damage(store, "UPDATE deliveries SET skip_reason = 1 WHERE number = 1")
        await #expect(throws: StoreError.corrupt(place)) {
            try await store.verify(Samples.runID())
        }
    }

    @Test("The migration does not hide damage") func migrationDoesNotHideDamage() async throws {
        try await skipEarlier()
        try await change("UPDATE runs SET campaign = 'spring-salt'")
        let store = try SQLiteStore.open(at: path)
        #expect(try await store.runs(campaign: nil, limit: 9).count == 1)
        await #expect(throws: StoreError.corrupt(place)) {
            try await store.verify(Samples.runID())
        }
        try store.close()
        #expect(throws: StoreError.corrupt(place)) { try SQLiteStore.open(at: path) }
    }
}
