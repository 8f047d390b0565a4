import CampaignCore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct InboxRunsTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func runs(_ store: SQLiteStore, of person: Username) throws -> Int {
        let found = try store.readers.read { db in
            try store.inboxRuns.runs(
                of: person, at: StoredTime.milliseconds(Samples.start), db
            ).count
        }
        return try #require(found)
    }

    private func ids(_ store: SQLiteStore, of person: Username) async throws -> [NotificationID] {
        try await store.notifications(
            for: person, isUnread: false, after: nil, limit: 50, at: Samples.start + 60
        ).map(\.notification.id)
    }

    /// Stages and sends a run to some people.
    private func send(
        _ name: String, to people: [Username], _ store: SQLiteStore
    ) async throws -> NotificationID {
        let test = try StoreUnderTest { store }
        let run = Samples.run(name, campaign: name, platforms: [.apns])
        let id = try await test.stage(people, of: run)
        try await test.accept(1...people.count, of: run.id)
        return id
    }

    @Test("Reading an inbox touches few unrelated runs and misses no relevant one")
    func readingAnInboxTouchesFewUnrelatedRunsAndMissesNoRelevantOne() async throws {
        let store = try SQLiteStore.open(at: path)
        let names = Samples.names(1_200)
        let large = try await send("aaaaaa", to: names, store)
        for letter in "bcdefghij" {
            _ = try await send(String(repeating: letter, count: 6), to: [names[7]], store)
        }
        // Until all names of the large run have been read, anybody may be in it.
        #expect(try runs(store, of: Username(checked: "zoe")) == 1)
        for _ in 1...4 { _ = try await ids(store, of: names[3]) }
        let lookups = try names[100..<200].map { try runs(store, of: $0) }
        #expect(lookups.allSatisfy { $0 >= 1 })
        #expect(lookups.reduce(0, +) < 150, "\(lookups)")
        for name in names { #expect(try runs(store, of: name) >= 1) }
        #expect(try await ids(store, of: names[1_199]) == [large])
        #expect(try await ids(store, of: names[7]).count == 10)
    }

    @Test("An inbox adds another process's new run and drops a revoked run")
    func inboxAddsAnotherProcesssNewRunAndDropsARevokedRun() async throws {
        let store = try SQLiteStore.open(at: path)
        let other = try SQLiteStore.open(at: path)
        let names = Samples.names(3)
        let first = try await send("aaaaaa", to: names, store)
        for _ in 1...3 { #expect(try await ids(store, of: names[1]) == [first]) }
        let second = try await send("bbbbbb", to: [names[1]], other)
        #expect(try await ids(store, of: names[1]) == [second, first])
        #expect(try await ids(store, of: names[2]) == [first])
        try await other.revoke(Samples.runID("aaaaaa"), at: Samples.start)
        #expect(try await ids(store, of: names[1]) == [second])
    }

    @Test("If no inbox reader is free, an ordinary connection is used")
    func ifNoInboxReaderIsFreeAnOrdinaryConnectionIsUsed() throws {
        let store = try SQLiteStore.open(at: path)
        var nested = 0
        func read() throws {
            _ = try store.readers.read { _ in
                nested += 1
                try read()
            }
        }
        try read()
        #expect(nested == ProcessInfo.processInfo.activeProcessorCount)
        try store.close()
        #expect(try store.readers.read { _ in true } == nil)
    }
}
