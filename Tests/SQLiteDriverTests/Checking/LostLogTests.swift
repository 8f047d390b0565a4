import CampaignCore
import Foundation
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

/// Tests the loss of the log next to a store, and of the latest changes with it.
@Suite(.bounded) struct LostLogTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var copy: String { folder.file("copy.sqlite") }
    private var copied: StoreComponent { .store(path: copy) }

    /// The files of a store in the middle of a run, as a killed process leaves them.
    private func kill(keeping suffixes: [String]) async throws {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        try await test.stage(Samples.names(9))
        try await test.accept(1...3, of: Samples.runID())
        for suffix in suffixes {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
    }

    private var gone: StoreError { .gone(copied, besides: copy) }
    private var lost: StoreError { .logLost(copied, mark: copy + ".mark") }

    @Test("After a kill, the store continues with its log, even without its mark file")
    func afterAKillTheStoreContinuesWithItsLogEvenWithoutItsMarkFile() async throws {
        try await kill(keeping: ["", "-wal"])
        let store = try SQLiteStore.open(at: copy)
        try await store.verify(Samples.runID())
        #expect(try await store.outcomes(Samples.runID())[.accepted] == 3)
    }

    @Test("A missing log is reported", arguments: [[".mark"], []])
    func missingLogIsReported(rest: [String]) async throws {
        try await kill(keeping: [""] + rest)
        #expect(throws: lost) { try SQLiteStore.open(at: copy) }
        #expect(throws: lost) { try SQLiteStore.openForReading(at: copy) }
        #expect(lost.disposition == .configuration)
    }

    /// The damage is in the log's header, and in the first and the second page that the log holds.
    @Test("A damaged log is reported", arguments: [10, 60, 4_500])
    func damagedLogIsReported(place: Int) async throws {
        try await kill(keeping: ["", "-wal", ".mark"])
        let log = URL(filePath: copy + "-wal")
        var bytes = try Data(contentsOf: log)
        bytes[place] ^= 4
        try bytes.write(to: log)
        try folder.setMode(0o600, of: "copy.sqlite-wal")
        #expect(throws: lost) { try SQLiteStore.open(at: copy) }
    }

    @Test("A staged run survives the loss of its log")
    func stagedRunSurvivesTheLossOfItsLog() async throws {
        try await kill(keeping: [""])
        // An empty mark means: continue with the store as it is.
        try folder.write("", to: "copy.sqlite.mark", mode: 0o600)
        let store = try SQLiteStore.open(at: copy)
        try await store.verify(Samples.runID())
        let claims = try await store.claimNext(Samples.runID(), platform: .apns, limit: 99)
        #expect(claims.map(\.username) == Samples.names(9))
    }

    @Test("An older copy in place of the store is reported")
    func olderCopyInPlaceOfTheStoreIsReported() async throws {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        try await test.stage(Samples.names(9))
        try store.close()
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let later = try SQLiteStore.open(at: path)
        try await StoreUnderTest { later }.accept(1...3, of: Samples.runID())
        try later.close()
        try FileManager.default.copyItem(atPath: path + ".mark", toPath: copy + ".mark")
        #expect(throws: lost) { try SQLiteStore.open(at: copy) }
    }

    @Test("An emptied store is not mistaken for a new one")
    func emptiedStoreIsNotMistakenForANewOne() async throws {
        try await kill(keeping: ["-wal", ".mark"])
        #expect(FileManager.default.createFile(atPath: copy, contents: nil))
        try folder.setMode(0o600, of: "copy.sqlite")
        #expect(throws: gone) { try SQLiteStore.open(at: copy) }
        try FileManager.default.removeItem(atPath: copy + "-wal")
        #expect(throws: gone) { try SQLiteStore.open(at: copy) }
    }

    @Test(
        "A missing store is not recreated while some of its files remain",
        arguments: ["-wal", ".mark"])
    func missingStoreIsNotRecreatedWhileSomeOfItsFilesRemain(rest: String) async throws {
        try await kill(keeping: [rest])
        #expect(throws: gone) { try SQLiteStore.open(at: copy) }
        #expect(throws: gone) { try SQLiteStore.openForReading(at: copy) }
        #expect(gone.disposition == .configuration)
        #expect(!FileManager.default.fileExists(atPath: copy), "nothing was made")
        try FileManager.default.removeItem(atPath: copy + rest)
        let store = try SQLiteStore.open(at: copy)
        #expect(try await store.runs(campaign: nil, limit: 9).isEmpty)
    }

    @Test("Closing a replaced store does not affect the new store's log")
    func closingAReplacedStoreDoesNotAffectTheNewStoresLog() async throws {
        try SQLiteStore.open(at: copy).close()
        try SQLiteStore.open(at: path).close()
        let old = try SQLiteStore.open(at: path)
        #expect(unsafe rename(copy, path) == 0)
        let new = try SQLiteStore.open(at: path)
        try await new.begin(Samples.run("bbbbbb"))
        try old.close()
        #expect(try await new.run(Samples.runID("bbbbbb")) != nil)
        let reader = try SQLiteStore.openForReading(at: path)
        #expect(try await reader.run(Samples.runID("bbbbbb")) != nil)
    }

    @Test("A revocation is recorded in the mark file")
    func revocationIsRecordedInTheMarkFile() async throws {
        let store = try SQLiteStore.open(at: path)
        try await StoreUnderTest { store }.stage(Samples.names(3))
        let before = try StoreMark(besideStoreAt: path).read()
        try await store.revoke(Samples.runID(), at: Samples.start)
        #expect(try StoreMark(besideStoreAt: path).read() != before)
    }

    @Test("Only the owner can access the mark file")
    func onlyTheOwnerCanAccessTheMarkFile() async throws {
        try await kill(keeping: [])
        #expect(try folder.mode("store.sqlite.mark") == 0o600)
    }
}
