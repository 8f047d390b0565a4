import CampaignCore
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct CampaignLockTests {
    private let campaign = "spring-sale"

    @Test("Only one host can hold a campaign's lock")
    func onlyOneHostCanHoldACampaignsLock() async throws {
        let server = try await StoreOnServer()
        let (store, other) = (try server.open(), try server.open())
        #expect(try await !other.isWorkedOn(campaign: campaign))
        let held = try #require(try await store.campaignLock.acquire(campaign: campaign))
        #expect(try await other.campaignLock.acquire(campaign: campaign) == nil)
        #expect(try await store.campaignLock.acquire(campaign: campaign) == nil)
        #expect(try await other.isWorkedOn(campaign: campaign))
        #expect(try await !other.isWorkedOn(campaign: "summer-sale"))
        let second = try await other.campaignLock.acquire(campaign: "summer-sale")
        #expect(second != nil)
        held.release()
        // In the same process, the lock is available immediately.
        let again = try #require(try await store.campaignLock.acquire(campaign: campaign))
        held.release()
        #expect(try await other.isWorkedOn(campaign: campaign))
        again.release()
        second?.release()
    }

    @Test("Stores in one database have separate locks")
    func storesInOneDatabaseHaveSeparateLocks() async throws {
        let store = try await StoreOnServer().open()
        let other = try await StoreOnServer().open()
        let held = try await store.campaignLock.acquire(campaign: campaign)
        #expect(try await !other.isWorkedOn(campaign: campaign))
        let second = try await other.campaignLock.acquire(campaign: campaign)
        #expect(second != nil)
        held?.release()
        second?.release()
    }

    @Test("A lost connection loses the lock, and nothing more is written")
    func lostConnectionLosesTheLockAndNothingMoreIsWritten() async throws {
        let server = try await StoreOnServer()
        let (store, other) = (try server.open(), try server.open())
        let run = Samples.run()
        try await store.begin(run)
        let held = try #require(try await store.campaignLock.acquire(campaign: campaign))
        store.locks.confirm()
        try store.locks.check(store.place)
        let key = store.lockKey(of: campaign)
        // Waits until the session has ended (PostgreSQL 14 and later).
        try await server.execute(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
            WHERE locktype = 'advisory' AND (classid::bigint << 32) | objid::bigint = \(key)
            """)
        let next = try #require(try await other.campaignLock.acquire(campaign: campaign))
        store.locks.confirm()
        await #expect(throws: StoreError.connectionLost(store.place)) {
            try await store.requestStop(run.id, .resumable)
        }
        #expect(try await store.stopRequest(run.id) == nil)
        try await other.requestStop(run.id, .resumable)
        held.release()
        try await store.clearStopRequest(run.id)
        #expect(try await other.stopRequest(run.id) == nil)
        #expect(try await store.isWorkedOn(campaign: campaign))
        next.release()
    }

    @Test("The next write after the lock is lost is refused")
    func nextWriteAfterTheLockIsLostIsRefused() async throws {
        let server = try await StoreOnServer()
        let (store, other) = (try server.open(), try server.open())
        let run = Samples.run()
        try await store.begin(run)
        let held = try #require(try await store.campaignLock.acquire(campaign: campaign))
        try await store.requestStop(run.id, .resumable)
        try await store.clearStopRequest(run.id)
        let key = store.lockKey(of: campaign)
        try await server.execute(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
            WHERE locktype = 'advisory' AND (classid::bigint << 32) | objid::bigint = \(key)
            """)
        await #expect(throws: StoreError.connectionLost(store.place)) {
            try await store.requestStop(run.id, .resumable)
        }
        #expect(try await other.stopRequest(run.id) == nil)
        held.release()
        try await store.requestStop(run.id, .resumable)
        #expect(try await other.stopRequest(run.id) == .resumable)
    }

    @Test("Waiting for a lock opens no connections")
    func waitingForALockOpensNoConnections() async throws {
        let server = PostgreSQLServer.shared
        let role = try await server.roleWithStore()
        let folder = try TemporaryFolder()
        let options = PostgreSQLStoreOptions(keyFolder: folder.path, connections: 2)
        let address = try await server.address(as: role)
        let store = try PostgreSQLStore.open(at: address, options: options)
        let other = try PostgreSQLStore.open(at: address, options: options)
        let held = try #require(try await store.campaignLock.acquire(campaign: campaign))
        // One session for the first store and one for its lock, and two for the other store.
        try await server.administer("ALTER ROLE \(role) CONNECTION LIMIT 4")
        try await withThrowingTaskGroup(of: Void.self) { [campaign] tasks in
            for _ in 0..<20 {
                tasks.addTask {
                    for _ in 0..<3 {
                        let taken = try await other.campaignLock.acquire(campaign: campaign)
                        #expect(taken == nil)
                    }
                }
            }
            try await tasks.waitForAll()
        }
        try await server.administer("ALTER ROLE \(role) CONNECTION LIMIT -1")
        held.release()
        let next = try #require(try await store.campaignLock.acquire(campaign: campaign))
        next.release()
    }
}
