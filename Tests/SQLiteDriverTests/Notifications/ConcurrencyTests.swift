import CampaignCore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct ConcurrencyTests: StoreFileSuite {
    let folder: TemporaryFolder
    private let names = Samples.names(3)

    init() throws { folder = try TemporaryFolder() }

    /// Does something while another connection is in the middle of a long write.
    private func whileAnotherWrites(_ body: (SQLiteStore) async throws -> Void) async throws {
        let store = try SQLiteStore.open(
            at: path, options: StoreOptions(busyTimeout: .milliseconds(20)))
        let other = try transaction("BEGIN IMMEDIATE", "UPDATE runs SET requests = 99")
        try await body(store)
        try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
    }

    @Test("Fetching does not wait for a writer") func fetchingDoesNotWaitForAWriter() async throws {
        let shared = try await StoreUnderTest { [path] in try SQLiteStore.open(at: path) }
            .stage(names)
        let own = try await StoreUnderTest { [path] in try SQLiteStore.open(at: path) }
            .stagePersonal(names, of: Samples.run("bbbbbb", campaign: "b"))
        try await whileAnotherWrites { (store) async throws in
            #expect(try await store.notification(shared, for: names[0]) != nil)
            #expect(try await store.notification(own[1], for: names[1]) != nil)
            #expect(try await store.notification(own[1], for: names[0]) == nil)
            #expect(
                try await store.notifications(
                    for: names[0], isUnread: false, after: nil, limit: 9, at: Samples.start
                ).isEmpty)
            #expect(try await store.reach(Samples.runID()) == Reach())
            #expect(try await store.registrations(of: names[0], handle: nil, limit: 9).isEmpty)
        }
    }

    @Test("A receipt that cannot be written is not reported as written")
    func receiptThatCannotBeWrittenIsNotReportedAsWritten() async throws {
        let id = try await StoreUnderTest { [path] in try SQLiteStore.open(at: path) }.stage(names)
        try await whileAnotherWrites { (store) async throws in
            let received = try #require(try await store.notification(id, for: names[0]))
            let receipts = [Receipt(place: received.place, kind: .read, time: Samples.start)]
            await #expect(throws: StoreError.locked(place)) { try await store.record(receipts) }
            let again = try await store.notification(id, for: names[0])
            #expect(again?.read == nil)
        }
        let store = try SQLiteStore.open(at: path)
        let found = try #require(try await store.notification(id, for: names[0])).place
        try await store.record([Receipt(place: found, kind: .read, time: Samples.start)])
        #expect(try await store.notification(id, for: names[0])?.read == Samples.start)
    }

    @Test("Receipts from two processes are both kept")
    func receiptsFromTwoProcessesAreBothKept() async throws {
        let everyone = Samples.names(200)
        let path = path
        let id = try await StoreUnderTest { try SQLiteStore.open(at: path) }.stage(everyone)
        try await withThrowingTaskGroup { group in
            for kind in [Receipt.Kind.fetched, .read] {
                group.addTask { @concurrent in
                    let store = try SQLiteStore.open(
                        at: path, options: StoreOptions(busyTimeout: .seconds(60)))
                    let run = try #require(try await store.notification(id, for: everyone[0]))
                    for number in 1...200 {
                        let place = ReceiptKey(run: run.place.run, number: number)
                        try await store.record(
                            [Receipt(place: place, kind: kind, time: Samples.start)])
                    }
                }
            }
            try await group.waitForAll()
        }
        let reach = try await SQLiteStore.openForReading(at: path).reach(Samples.runID())
        #expect(reach == Reach(accepted: 0, fetched: 200, read: 200))
    }
}
