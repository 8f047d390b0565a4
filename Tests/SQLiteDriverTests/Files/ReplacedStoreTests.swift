import CampaignCore
import Foundation
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct ReplacedStoreTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func move(_ from: String, to: String) throws {
        try FileManager.default.moveItem(atPath: from, toPath: to)
    }

    @Test("A replaced store is neither written nor read")
    func replacedStoreIsNeitherWrittenNorRead() async throws {
        let backup = folder.file("backup.sqlite")
        try SQLiteStore.open(at: backup).close()
        let store = try SQLiteStore.open(at: path)
        try await store.begin(Samples.run())
        try move(path, to: folder.file("old.sqlite"))
        try move(backup, to: path)
        await #expect(throws: StoreError.replaced(place)) {
            try await store.requestStop(Samples.runID(), .resumable)
        }
        await #expect(throws: StoreError.replaced(place)) {
            try await store.run(Samples.runID())
        }
        #expect(StoreError.replaced(place).disposition == .configuration)
        // A connection may use the other file now; reopening works, and nothing was written in the
        // meantime.
        try move(path, to: backup)
        try move(folder.file("old.sqlite"), to: path)
        await #expect(throws: StoreError.replaced(place)) {
            try await store.run(Samples.runID())
        }
        try store.close()
        let again = try SQLiteStore.open(at: path)
        #expect(try await again.run(Samples.runID()) == Samples.run())
        #expect(try await again.stopRequest(Samples.runID()) == nil)
    }

    @Test("A watcher is notified only once that the store was replaced")
    func watcherIsNotifiedOnlyOnceThatTheStoreWasReplaced() async throws {
        let store = try SQLiteStore.open(at: path)
        try move(path, to: folder.file("old.sqlite"))
        let (told, tell) = AsyncStream.makeStream(of: (any Error).self)
        await store.watchPlace(every: .zero) { tell.yield($0) }
        tell.finish()
        var errors: [StoreError] = []
        for await error in told { errors.append(try #require(error as? StoreError)) }
        #expect(errors == [.replaced(place)])
        try store.close()
    }

    @Test("A store whose folder was deleted is not written")
    func storeWhoseFolderWasDeletedIsNotWritten() async throws {
        let path = folder.file("data/store.sqlite")
        let store = try SQLiteStore.open(at: path)
        try FileManager.default.removeItem(atPath: folder.file("data"))
        await #expect(throws: StoreError.replaced(.store(path: path))) {
            try await store.begin(Samples.run())
        }
        try store.close()
        #expect(try folder.contents() == [])
    }
}
