import CampaignCore
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

/// Tests deliveries skipped by an earlier version: only their detail gives the reason.
@Suite(.bounded, .postgreSQL) struct EarlierSkipsTests {
    @Test("Earlier skipped deliveries are counted by reason")
    func earlierSkippedDeliveriesAreCountedByReason() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        try await StoreUnderTest { store }.stage(
            Samples.names(9), of: Samples.run(platforms: [.apns]))
        let details = SkipReason.allCases.map { $0.detail("for a reason") } + ["too la"]
        try await store.record(
            details.enumerated().map {
                Samples.record($0 + 1, .apns, .ended(.skipped), detail: $1)
            } + [Samples.record(9, .apns, .ended(.failed), detail: "too late")],
            requests: 0, of: Samples.runID())
        let step = try #require(
            StoreSchema.steps.first { $0.sql.contains("ADD COLUMN skip_reason") })
        try await server.execute("ALTER TABLE deliveries DROP COLUMN skip_reason; \(step.sql)")
        let reasons = try await store.query { db in
            try db.rows("SELECT skip_reason FROM deliveries ORDER BY number") {
                try $0.optionalInt(0)
            }
        }
        #expect(reasons == SkipReason.allCases.map(\.number) + [nil, nil])
    }
}
