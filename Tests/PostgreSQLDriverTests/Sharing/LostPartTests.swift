import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct LostPartTests {
    @Test("A late part does not overwrite its successor's outcomes")
    func latePartDoesNotOverwriteItsSuccessorsOutcomes() async throws {
        let shared = try await RunOnServer(people: 6)
        let (late, next) = (try await shared.join(), try await shared.join("b"))
        _ = try await late.claim(4)
        try await late.record([1, 2], .waiting)
        try await shared.expire(late)
        #expect(try await next.settle() == 2)
        #expect(try await next.adopt().map(\.number) == [1, 2, 3, 4])
        try await next.record([1], .ended(.accepted), attempts: 2)
        try await next.record([2], .ended(.rejected), attempts: 2)
        let before = try await shared.rows()

        let lost = RunPartLost(shared.run.id)
        await #expect(throws: lost) { try await late.record([1, 2, 3], .ended(.failed)) }
        await #expect(throws: lost) { try await late.record([4, 5], .waiting) }
        await #expect(throws: lost) { try await late.claim(2) }
        await #expect(throws: lost) { try await late.claimAgain([3]) }
        await #expect(throws: lost) { try await late.adopt() }
        await #expect(throws: lost) { try await late.letGo([3], on: .apns) }
        await #expect(throws: lost) { try await late.settle() }
        #expect(late.lease?.isHeld == false)
        #expect(try await shared.rows() == before)
        #expect(try await next.claim(9).claims.map(\.number) == [5, 6])
        #expect(try await shared.store.check().damage == [])
    }

    @Test("Deliveries are not taken over while they are being written")
    func deliveriesAreNotTakenOverWhileTheyAreBeingWritten() async throws {
        let shared = try await RunOnServer(people: 4)
        let (part, other) = (try await shared.join(), try await shared.join("b"))
        _ = try await part.claim(4)
        let session = try shared.store.pool.dedicatedConnection()
        defer { session.close() }
        try session.withConnection { db in
            try db.executeScript("BEGIN")
            try part.hold(db)
        }
        try await shared.expire(part)
        #expect(try await other.settle() == 0)
        try session.withConnection { try $0.executeScript("COMMIT") }
        #expect(try await other.settle() == 4)
    }

    /// Its lease expires for a moment while it is still working.
    @Test("A part does not take over its own deliveries") func partDoesNotTakeOverItsOwnDeliveries()
        async throws
    {
        let shared = try await RunOnServer(people: 4)
        let part = try await shared.join()
        _ = try await part.claim(2)
        try await shared.expire(part)
        #expect(try await part.settle() == 0)
        try await part.record([1, 2], .ended(.accepted))
        #expect(try await part.claim(9).claims.map(\.number) == [3, 4])
    }

    @Test("A run that was ended permanently accepts no more writes")
    func runThatWasEndedPermanentlyAcceptsNoMoreWrites() async throws {
        let shared = try await RunOnServer(people: 5)
        let part = try await shared.join()
        _ = try await part.claim(3)
        try await part.record([1], .ended(.accepted))
        try await part.record([2], .waiting)
        _ = try await part.exchange(WorkerReport(requests: 2))
        try await shared.store.endRemaining(
            shared.run.id, as: .notAttempted, because: nil, detail: "stopped",
            at: Samples.start + 90)
        await #expect(throws: RunPartLost(shared.run.id)) {
            try await part.record([2, 3], .ended(.accepted))
        }
        #expect(
            try await shared.rows() == [
                .init(number: 1, state: .ended(.accepted)), .init(number: 2, state: .notAttempted),
                .init(number: 3, state: .ended(.unknown), isUncertain: true),
                .init(number: 4, state: .ended(.notAttempted), attempts: 0),
                .init(number: 5, state: .ended(.notAttempted), attempts: 0),
            ])
        #expect(try await shared.count("claimed_pages") == 0)
        #expect(try await shared.count("run_members") == 0)
        #expect(try await shared.store.run(shared.run.id)?.requests == 2)
    }

    @Test("A finished run has no pages and no parts")
    func finishedRunHasNoPagesAndNoParts() async throws {
        let shared = try await RunOnServer(people: 4)
        let part = try await shared.join()
        _ = try await part.claim(4)
        try await part.record([1, 2, 3, 4], .ended(.accepted))
        _ = try await part.exchange(WorkerReport(requests: 4))
        try await shared.store.setState(
            .finished, reason: nil, of: shared.run.id, at: Samples.start + 90)
        #expect(try await shared.count("claimed_pages") == 0)
        #expect(try await shared.count("run_members") == 0)
        #expect(try await shared.store.run(shared.run.id)?.requests == 4)
        #expect(try await shared.store.check().damage == [])
        await #expect(throws: RunPartLost(shared.run.id)) { try await part.claim(1) }
    }
}
