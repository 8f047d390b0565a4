import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct JoiningTests {
    private static let process = WorkerProcess(host: "here", number: 1, version: "1")

    @Test("The campaign's lock is refused while a part is alive")
    func campaignsLockIsRefusedWhileAPartIsAlive() async throws {
        let shared = try await RunOnServer()
        let campaign = shared.run.campaign
        #expect(try await !shared.store.isWorkedOn(campaign: campaign))
        let part = try await shared.join()
        #expect(try await shared.store.isWorkedOn(campaign: campaign))
        #expect(try await shared.store.campaignLock.acquire(campaign: campaign) == nil)
        let elsewhere = try await shared.store.campaignLock.acquire(campaign: "another")
        #expect(elsewhere != nil)
        elsewhere?.release()
        // The refused lock did not keep any process from joining either.
        try await shared.join("b").leave()

        try await shared.expire(part)
        #expect(try await !shared.store.isWorkedOn(campaign: campaign))
        let lock = try #require(try await shared.store.campaignLock.acquire(campaign: campaign))
        await #expect(throws: RunPartLost(shared.run.id)) {
            try await part.exchange(WorkerReport())
        }
        lock.release()
    }

    @Test("The lock is refused while a part with an expired lease writes")
    func lockIsRefusedWhileAPartWithAnExpiredLeaseWrites() async throws {
        let shared = try await RunOnServer()
        let part = try await shared.join()
        try await shared.expire(part)
        let session = try shared.store.pool.dedicatedConnection()
        defer { session.close() }
        try session.withConnection { db in
            try db.executeScript("BEGIN")
            try part.hold(db)
        }
        let campaign = shared.run.campaign
        #expect(try await shared.store.campaignLock.acquire(campaign: campaign) == nil)
        try session.withConnection { try $0.executeScript("COMMIT") }
        let lock = try await shared.store.campaignLock.acquire(campaign: campaign)
        #expect(lock != nil)
        lock?.release()
    }

    @Test("A run cannot be joined while its campaign is locked")
    func runCannotBeJoinedWhileItsCampaignIsLocked() async throws {
        let shared = try await RunOnServer()
        let other = try shared.server.open()
        let lock = try #require(
            try await shared.store.campaignLock.acquire(campaign: shared.run.campaign))
        let without = try await other.sharing?.join(shared.run.id, as: Self.process, holding: nil)
        #expect(without == nil)
        let part = try await shared.store.sharing?.join(
            shared.run.id, as: Self.process, holding: lock)
        #expect(part != nil)
        lock.release()
        // In the same process, the next call waits for the release; another process has to wait for
        // the server.
        let again = try await shared.store.campaignLock.acquire(campaign: shared.run.campaign)
        #expect(again == nil)
        try await part?.leave()
    }

    @Test("Any number of processes can join at once")
    func anyNumberOfProcessesCanJoinAtOnce() async throws {
        let shared = try await RunOnServer()
        let members = try await withThrowingTaskGroup(of: Int64.self) { tasks in
            for number in 0..<6 {
                tasks.addTask { try await shared.join("host-\(number)").member }
            }
            return try await tasks.reduce(into: Set<Int64>()) { $0.insert($1) }
        }
        #expect(members.count == 6)
        let workers = try await shared.store.sharing?.workers(on: shared.run.id) ?? []
        #expect(Set(workers.map(\.id)) == members)
        #expect(Set(workers.map(\.process.host)) == Set((0..<6).map { "host-\($0)" }))
        #expect(workers.map(\.joined) == workers.map(\.joined).sorted())
    }

    @Test("Only a running run can be joined") func onlyARunningRunCanBeJoined() async throws {
        let shared = try await RunOnServer()
        let sharing = try #require(shared.store.sharing)
        try await shared.store.setState(
            .paused, reason: nil, of: shared.run.id, at: Samples.start + 1)
        #expect(try await sharing.join(shared.run.id, as: Self.process, holding: nil) == nil)
        try await shared.store.begin(Samples.run("bbbbbb", campaign: "other"))
        #expect(
            try await sharing.join(Samples.runID("bbbbbb"), as: Self.process, holding: nil) == nil)
        await #expect(throws: StoreError.noSuchRun(Samples.runID("cccccc"))) {
            try await sharing.join(Samples.runID("cccccc"), as: Self.process, holding: nil)
        }
    }

    @Test("Only the running runs of a hub are listed as open")
    func onlyTheRunningRunsOfAHubAreListedAsOpen() async throws {
        let store = try await StoreOnServer().open()
        let test = try StoreUnderTest { store }
        let runs = [
            ("aaaaaa", "local", false, RunState.running), ("bbbbbb", "local", false, .running),
            ("cccccc", "local", true, .running), ("dddddd", "elsewhere", false, .running),
            ("eeeeee", "local", false, .paused), ("ffffff", "local", false, .finished),
        ]
        for (index, (suffix, hub, isRehearsal, state)) in runs.enumerated() {
            let run = Samples.run(
                suffix, campaign: suffix, isRehearsal: isRehearsal, hub: hub,
                started: Samples.start - Double(index))
            try await test.stage(Samples.names(1), of: run)
            try await store.setState(state, reason: nil, of: run.id, at: Samples.start + 9)
        }
        try await store.begin(Samples.run("000000", campaign: "staging"))
        let found = try await store.sharing?.openRuns(at: HubIdentity(host: "local", name: "hub"))
        #expect(found?.map(\.id) == ["bbbbbb", "aaaaaa"].map { Samples.runID($0) })
    }
}
