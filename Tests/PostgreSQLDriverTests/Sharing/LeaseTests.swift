import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct LeaseTests {
    @Test("A renewed lease stays valid") func renewedLeaseStaysValid() async throws {
        let shared = try await RunOnServer()
        let part = try await shared.join()
        #expect(part.lease?.isHeld == true)
        let lasts = "until > clock_timestamp() + interval '5 seconds'"
        #expect(try await shared.count("run_members", where: lasts) == 1)
        try await shared.server.execute("UPDATE run_members SET until = clock_timestamp()")
        #expect(try await shared.count("run_members", where: lasts) == 0)
        part.lease?.extend(until: .now)
        _ = try await part.exchange(WorkerReport())
        #expect(try await shared.count("run_members", where: lasts) == 1)
        #expect(part.lease?.isHeld == true)
        #expect(try await shared.takeOver() == 0)
    }

    @Test("A lease lasts as configured, and sending ends before it expires")
    func leaseLastsAsConfiguredAndSendingEndsBeforeItExpires() async throws {
        let shared = try await RunOnServer()
        #expect(shared.store.heldLease < shared.store.lease)
        var options = shared.server.options
        options.lease = .zero
        let store = try PostgreSQLStore.open(at: shared.server.address, options: options)
        let process = WorkerProcess(host: "a", number: 1, version: "1")
        let part = try #require(
            try await store.sharing?.join(shared.run.id, as: process, holding: nil))
        #expect(part.lease?.isHeld == false)
        #expect(try await shared.takeOver() == 1)
    }

    @Test("An expired lease is renewed if nobody took over the part")
    func expiredLeaseIsRenewedIfNobodyTookOverThePart() async throws {
        let shared = try await RunOnServer()
        let part = try await shared.join()
        try await shared.expire(part)
        #expect(try await shared.store.sharing?.workers(on: shared.run.id) == [])
        _ = try await part.exchange(WorkerReport())
        #expect(try await shared.store.sharing?.workers(on: shared.run.id).count == 1)
        #expect(try await shared.takeOver() == 0)
    }

    @Test("A part that was taken over is informed and must not send any more")
    func partThatWasTakenOverIsInformedAndMustNotSendAnyMore() async throws {
        let shared = try await RunOnServer()
        let (part, other) = (try await shared.join(), try await shared.join("b"))
        try await shared.expire(part)
        #expect(try await shared.takeOver() == 1)
        #expect(try await shared.takeOver() == 0)
        await #expect(throws: RunPartLost(shared.run.id)) {
            try await part.write { db in try part.hold(db) }
        }
        #expect(part.lease?.isHeld == false)
        await #expect(throws: RunPartLost(shared.run.id)) {
            try await part.exchange(WorkerReport())
        }
        #expect(part.lease?.isHeld == false)
        try await part.leave()
        _ = try await other.exchange(WorkerReport())
        #expect(try await shared.count("run_members") == 1)
    }

    @Test("A part is not taken over while it writes, and its lease is renewed")
    func partIsNotTakenOverWhileItWritesAndItsLeaseIsRenewed() async throws {
        let shared = try await RunOnServer()
        let part = try await shared.join()
        try await shared.expire(part)
        let session = try shared.store.pool.dedicatedConnection()
        defer { session.close() }
        try session.withConnection { db in
            try db.executeScript("BEGIN")
            try part.hold(db)
        }
        #expect(try await shared.takeOver() == 0)
        _ = try await part.exchange(WorkerReport())
        try await shared.expire(part)
        #expect(try await shared.takeOver() == 0)
        try session.withConnection { try $0.executeScript("COMMIT") }
        #expect(try await shared.takeOver() == 1)
    }

    @Test("After a part ends, its deliveries belong to no part", arguments: [true, false])
    func afterAPartEndsItsDeliveriesBelongToNoPart(_ leaves: Bool) async throws {
        let shared = try await RunOnServer(people: 9)
        let (part, other) = (try await shared.join(), try await shared.join("b"))
        let (own, others) = (part.member, other.member)
        try await shared.server.execute(
            """
            INSERT INTO claimed_pages SELECT key, 0, 1, 3, \(own), 1 FROM runs;
            INSERT INTO claimed_pages SELECT key, 0, 4, 9, \(others), 1 FROM runs;
            INSERT INTO deliveries
            SELECT key, 0, n, n - 1, 1, false, 0, NULL, NULL, \(own) FROM runs, generate_series(1, 2) n;
            INSERT INTO deliveries SELECT key, 0, 4, 1, 1, false, 0, NULL, NULL, \(others) FROM runs;
            """)
        if leaves {
            try await part.leave()
        } else {
            try await shared.expire(part)
            try await shared.takeOver()
        }
        #expect(!leaves || part.lease?.isHeld == false)
        #expect(try await shared.count("run_members", where: "member = \(own)") == 0)
        let nobodys = "member IS NULL AND serial IS NULL AND first = 1 AND last = 3"
        #expect(try await shared.count("claimed_pages", where: nobodys) == 1)
        #expect(try await shared.count("claimed_pages", where: "member = \(others)") == 1)
        #expect(try await shared.count("deliveries", where: "member IS NULL AND number <= 2") == 2)
        #expect(try await shared.count("deliveries", where: "member = \(others)") == 1)
        // Leaving a second time does nothing.
        try await part.leave()
        #expect(try await shared.count("run_members") == 1)
    }

    @Test("Requests are counted once, whatever order the parts end in", arguments: [true, false])
    func requestsAreCountedOnceWhateverOrderThePartsEndIn(_ isTakenOverFirst: Bool) async throws {
        let shared = try await RunOnServer()
        func requests() async throws -> Int? { try await shared.store.run(shared.run.id)?.requests }
        let (part, other) = (try await shared.join(), try await shared.join("b"))
        _ = try await part.exchange(WorkerReport(requests: 4))
        _ = try await other.exchange(WorkerReport(requests: 5))
        // The counts start at the beginning of the run, and an older report that arrives late does
        // not reduce them.
        _ = try await part.exchange(WorkerReport(requests: 7))
        _ = try await part.exchange(WorkerReport(requests: 6))
        #expect(try await requests() == 12)
        #expect(try await shared.store.number("SELECT requests FROM runs") == 0)
        try await shared.expire(other)
        if isTakenOverFirst { try await shared.takeOver() }
        #expect(try await requests() == 12)
        try await part.leave()
        #expect(try await requests() == 12)
        try await shared.takeOver()
        #expect(try await requests() == 12)
        for part in [part, other] { try await part.leave() }
        await #expect(throws: RunPartLost(shared.run.id)) {
            try await other.exchange(WorkerReport(requests: 9))
        }
        #expect(try await requests() == 12)
        #expect(try await shared.store.number("SELECT requests FROM runs") == 12)
    }

    @Test("A finished run keeps no data of its parts")
    func finishedRunKeepsNoDataOfItsParts() async throws {
        let shared = try await RunOnServer()
        let part = try await shared.join()
        _ = try await part.exchange(WorkerReport(requests: 3))
        try await shared.server.execute(
            "INSERT INTO claimed_pages SELECT key, 0, 1, 3, NULL, NULL FROM runs")
        try await shared.store.setState(
            .finished, reason: nil, of: shared.run.id, at: Samples.start + 60)
        #expect(try await shared.count("run_members") == 0)
        #expect(try await shared.count("claimed_pages") == 0)
        #expect(try await shared.store.run(shared.run.id)?.requests == 3)
    }

    @Test("Leases use the server's clock") func leasesUseTheServersClock() async throws {
        let shared = try await RunOnServer()
        let sharing = try #require(shared.store.sharing)
        let before = try await sharing.time()
        let part = try await shared.join()
        let between = try await sharing.time()
        _ = try await part.exchange(WorkerReport())
        let after = try await sharing.time()
        let worker = try #require(try await sharing.workers(on: shared.run.id).first)
        #expect((before...between).contains(worker.joined))
        #expect((between...after).contains(worker.seen))
    }
}
