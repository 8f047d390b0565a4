import CampaignCore
import FoundationEssentials
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct PushCountsTests {
    private static let cap = FrequencyCap(pushes: 1, period: .seconds(3_600))

    @Test("For a cap, only the claimed people of another run with waves are counted")
    func forACapOnlyTheClaimedPeopleOfAnotherRunWithWavesAreCounted() async throws {
        let store = try await StoreOnServer().open()
        let test = try StoreUnderTest { store }
        let names = Samples.names(6)
        let other = Samples.run("others", campaign: "winter-sale")
        try await test.stage(inWavesOf: [3, 3], of: other)
        _ = try await store.claimNext(other.id, platform: .apns, wave: 2, limit: 2)
        try await store.record(
            [Samples.record(4, .apns, .ended(.accepted))], requests: 1, of: other.id)
        try await test.stage(names)
        let page = try await store.claimNext(
            Samples.runID(), platform: .apns, limit: 9, cap: Self.cap, at: Samples.start + 120)
        // One delivery has an outcome, and the other is in flight.
        #expect(page.claims.map(\.username) == [0, 1, 2, 5].map { names[$0] })
        #expect(page.skipped == 2)
    }

    @Test("Only runs that end within the cap's period are counted")
    func onlyRunsThatEndWithinTheCapsPeriodAreCounted() async throws {
        let store = try await StoreOnServer().open()
        let test = try StoreUnderTest { store }
        let names = Samples.names(4)
        let other = Samples.run("others", campaign: "winter-sale")
        try await test.stage(Array(names[..<2]), of: other)
        try await test.accept(1...2, of: other.id)
        try await store.setState(.finished, reason: nil, of: other.id, at: Samples.start + 70)
        for (seconds, count) in [(120.0, 2), (3_669, 0), (3_671, 0), (90_000, 0)] {
            let capped = try await store.capped(
                names, on: .apns, at: other.hub, besides: nil, by: Self.cap,
                at: Samples.start + seconds)
            #expect(capped == count, "\(seconds) seconds later")
        }
    }
}
