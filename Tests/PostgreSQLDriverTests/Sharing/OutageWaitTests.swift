import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import Synchronization
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded) struct RideOutTests {
    private static let place = StoreComponent.server("postgresql:///a")

    /// Some work that fails a number of times and counts its calls.
    private final class Call: Sendable {
        private let faults: Mutex<[any Error]>
        let count = Mutex(0)

        init(_ faults: [any Error]) { self.faults = Mutex(faults) }

        func make() throws -> Int {
            count.withLock { $0 += 1 }
            let fault = faults.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let fault { throw fault }
            return count.withLock(\.self)
        }
    }

    @Test("Work is retried during an outage, whose start and end are reported once")
    func workIsRetriedDuringAnOutageWhoseStartAndEndAreReportedOnce() async throws {
        let told = Mutex<[StoreError]>([])
        let ends = Mutex(0)
        let rideOut = OutageWait(
            patience: .seconds(30), begun: { fault in told.withLock { $0.append(fault) } },
            ended: { ends.withLock { $0 += 1 } })
        let lost = StoreError.connectionLost(Self.place)
        let away = StoreError.unreachable(Self.place, reason: "it starts")
        let first = Call([lost, away, StoreError.readOnly(Self.place), .locked(Self.place)])
        #expect(try await rideOut.run(despiteCancellation: false) { try first.make() } == 5)
        #expect(told.withLock(\.self) == [lost])
        #expect(ends.withLock(\.self) == 1)
        let whole = Call([])
        #expect(try await rideOut.run(despiteCancellation: false) { try whole.make() } == 1)
        #expect(ends.withLock(\.self) == 1)
        let second = Call([away])
        #expect(try await rideOut.run(despiteCancellation: false) { try second.make() } == 2)
        #expect(told.withLock(\.self) == [lost, away])
        #expect(ends.withLock(\.self) == 2)
    }

    @Test(
        "A permanent error is thrown immediately",
        arguments: [
            StoreError.diskFull(place), .corrupt(place), .refused(place, reason: "no"),
            .interrupted(place, reason: "no"),
        ])
    func permanentErrorIsThrownImmediately(fault: StoreError) async {
        let call = Call([fault])
        let rideOut = OutageWait(patience: .seconds(30))
        await #expect(throws: fault) {
            try await rideOut.run(despiteCancellation: true) { try call.make() }
        }
        #expect(call.count.withLock(\.self) == 1)
    }

    @Test("An outage that lasts too long causes an error")
    func outageThatLastsTooLongCausesAnError() async {
        let fault = StoreError.connectionLost(Self.place)
        let call = Call([fault])
        let rideOut = OutageWait(patience: .zero)
        await #expect(throws: fault) {
            try await rideOut.run(despiteCancellation: false) { try call.make() }
        }
    }

    @Test("A cancelled task waits only for writes that would be lost")
    func cancelledTaskWaitsOnlyForWritesThatWouldBeLost() async throws {
        let fault = StoreError.connectionLost(Self.place)
        let rideOut = OutageWait(patience: .seconds(30))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask {
                let (claim, record) = (Call([fault]), Call([fault, fault]))
                await #expect(throws: fault) {
                    try await rideOut.run(despiteCancellation: false) { try claim.make() }
                }
                #expect(claim.count.withLock(\.self) == 1)
                let tries = try await rideOut.run(despiteCancellation: true) {
                    try record.make()
                }
                #expect(tries == 3)
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "A stopping process waits briefly, and only for its writes",
        arguments: [(Duration.zero, 1), (.seconds(30), 3)])
    func stoppingProcessWaitsBrieflyAndOnlyForItsWrites(
        grace: Duration, tries: Int
    ) async {
        let fault = StoreError.connectionLost(Self.place)
        let rideOut = OutageWait(patience: .seconds(30))
        rideOut.hurry(within: grace)
        let (claim, record) = (Call([fault]), Call([fault, fault]))
        _ = try? await rideOut.run(despiteCancellation: false) { try claim.make() }
        #expect(claim.count.withLock(\.self) == 1)
        _ = try? await rideOut.run(despiteCancellation: true) { try record.make() }
        #expect(record.count.withLock(\.self) == tries)
    }
}

@Suite(.bounded, .postgreSQL) struct AwayServerTests {
    /// Ends the connection that waits for the table of pages, as soon as there is one.
    private static let cuttingWhoWaits = """
        DO $$
        DECLARE found BOOLEAN := false;
        BEGIN
            FOR tries IN 1..2000 LOOP
                SELECT count(*) FILTER (WHERE pg_terminate_backend(l.pid)) > 0 INTO found
                FROM pg_locks l
                WHERE NOT l.granted AND l.relation = 'claimed_pages'::regclass;
                EXIT WHEN found;
                PERFORM pg_sleep(0.01);
            END LOOP;
            IF NOT found THEN RAISE 'nobody waits'; END IF;
        END $$
        """

    @Test("A part continues after its connection is cut in a transaction")
    func partContinuesAfterItsConnectionIsCutInATransaction() async throws {
        let shared = try await RunOnServer(people: 6)
        let (part, run) = (try await shared.join(), shared.run.id)
        let session = try shared.store.pool.dedicatedConnection()
        defer { session.close() }
        try session.withConnection { try $0.executeScript("BEGIN; LOCK TABLE claimed_pages") }
        let claiming = Task { try await part.claim(2) }
        try await shared.server.execute(Self.cuttingWhoWaits)
        try session.withConnection { try $0.executeScript("COMMIT") }
        #expect(try await claiming.value.claims.map(\.number) == [1, 2])
        #expect(try await shared.count("claimed_pages") == 1)

        let other = try shared.server.open()
        try session.withConnection { try $0.executeScript("BEGIN; LOCK TABLE claimed_pages") }
        let failing = Task { try await other.claimNext(run, platform: .apns, limit: 2) }
        try await shared.server.execute(Self.cuttingWhoWaits)
        try session.withConnection { try $0.executeScript("COMMIT") }
        await #expect(throws: StoreError.self) { try await failing.value }
        #expect(try await part.claim(9).claims.map(\.number) == [3, 4, 5, 6])
    }

    @Test("A part that stalls in a transaction delays others but does not stop them")
    func partThatStallsInATransactionDelaysOthersButDoesNotStopThem() async throws {
        let shared = try await RunOnServer(people: 6)
        let waits = Milestone()
        var options = shared.server.options
        options.common.busyTimeout = .milliseconds(20)
        options.common.storeAway = { _, _ in waits.reach() }
        let store = try PostgreSQLStore.open(at: shared.server.address, options: options)
        let joined = try await store.sharing?.join(
            shared.run.id, as: WorkerProcess(host: "b", number: 1, version: "1"), holding: nil)
        let part = try #require(joined as? ServerPart)
        let session = try shared.store.pool.dedicatedConnection()
        defer { session.close() }
        // Like a host that was suspended while it was claiming.
        try session.withConnection {
            try $0.executeScript("BEGIN; SELECT 1 FROM run_platforms FOR UPDATE")
        }
        let claiming = Task { try await part.claim(2) }
        await waits.wait()
        try session.withConnection { try $0.executeScript("COMMIT") }
        #expect(try await claiming.value.claims.map(\.number) == [1, 2])
    }

    @Test("A part waits for a server that crashes and restarts")
    func partWaitsForAServerThatCrashesAndRestarts() async throws {
        let server = PostgreSQLServer()
        let folder = try TemporaryFolder()
        let address = try await server.emptyStore()
        let store = try PostgreSQLStore.open(
            at: address, options: PostgreSQLStoreOptions(keyFolder: folder.path))
        let run = Samples.run(platforms: [.apns])
        try await StoreUnderTest { store }.stage(Samples.names(6), of: run)
        let joined = try await store.sharing?.join(
            run.id, as: WorkerProcess(host: "a", number: 1, version: "1"), holding: nil)
        let part = try #require(joined as? ServerPart)
        #expect(try await part.claim(2).claims.map(\.number) == [1, 2])
        // If one of its processes is killed, the server ends all others and restarts (PostgreSQL
        // documentation, restart_after_crash).
        await #expect(throws: PostgreSQLError.self) {
            try await server.administer("COPY (SELECT 1) TO PROGRAM 'kill -9 $PPID'")
        }
        try await part.record([1, 2], .ended(.accepted))
        #expect(try await part.claim(9).claims.map(\.number) == [3, 4, 5, 6])
        _ = try await part.exchange(WorkerReport())
        #expect(part.lease?.isHeld == true)
        #expect(try await store.outcomes(run.id)[.accepted] == 2)
    }
}
