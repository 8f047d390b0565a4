import CampaignCore
import Foundation
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

/// What is told when the log beside a store is gone, and with it what was saved last.
@Suite(.bounded) struct LostLogTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var copy: String { folder.file("copy.sqlite") }
    private var copied: StorePlace { .store(path: copy) }

    /// Files of a store in the middle of a run, as a process leaves them that is killed.
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

    @Test func aKilledStoreGoesOnWithItsLogAndWithoutItsMarkToo() async throws {
        try await kill(keeping: ["", "-wal"])
        let store = try SQLiteStore.open(at: copy)
        try await store.verify(Samples.runID())
        #expect(try await store.outcomes(Samples.runID())[.accepted] == 3)
    }

    @Test(arguments: [[".mark"], []])
    func aLogThatIsGoneIsTold(rest: [String]) async throws {
        try await kill(keeping: [""] + rest)
        #expect(throws: lost) { try SQLiteStore.open(at: copy) }
        #expect(throws: lost) { try SQLiteStore.openForReading(at: copy) }
        #expect(lost.disposition == .configuration)
    }

    /// In its header, and in the first and the second page that it holds.
    @Test(arguments: [10, 60, 4_500])
    func aLogThatIsDamagedIsTold(place: Int) async throws {
        try await kill(keeping: ["", "-wal", ".mark"])
        let log = URL(filePath: copy + "-wal")
        var bytes = try Data(contentsOf: log)
        bytes[place] ^= 4
        try bytes.write(to: log)
        try folder.setMode(0o600, of: "copy.sqlite-wal")
        #expect(throws: lost) { try SQLiteStore.open(at: copy) }
    }

    @Test func aStagedRunOutlivesItsLog() async throws {
        try await kill(keeping: [""])
        // An empty mark says: go on with what is left.
        try folder.write("", to: "copy.sqlite.mark", mode: 0o600)
        let store = try SQLiteStore.open(at: copy)
        try await store.verify(Samples.runID())
        let claims = try await store.claimNext(Samples.runID(), platform: .apns, limit: 99)
        #expect(claims.map(\.username) == Samples.names(9))
    }

    @Test func anOlderCopyInTheStoresPlaceIsTold() async throws {
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

    @Test func aStoreThatWasCutToNothingIsNotTakenForANewOne() async throws {
        try await kill(keeping: ["-wal", ".mark"])
        #expect(FileManager.default.createFile(atPath: copy, contents: nil))
        try folder.setMode(0o600, of: "copy.sqlite")
        #expect(throws: gone) { try SQLiteStore.open(at: copy) }
        try FileManager.default.removeItem(atPath: copy + "-wal")
        #expect(throws: gone) { try SQLiteStore.open(at: copy) }
    }

    @Test(arguments: ["-wal", ".mark"])
    func aStoreThatIsGoneIsNotBegunAnewUnlessWhatIsLeftOfItGoesToo(rest: String) async throws {
        try await kill(keeping: [rest])
        #expect(throws: gone) { try SQLiteStore.open(at: copy) }
        #expect(throws: gone) { try SQLiteStore.openForReading(at: copy) }
        #expect(gone.disposition == .configuration)
        #expect(!FileManager.default.fileExists(atPath: copy), "nothing was made")
        try FileManager.default.removeItem(atPath: copy + rest)
        let store = try SQLiteStore.open(at: copy)
        #expect(try await store.runs(campaign: nil, limit: 9).isEmpty)
    }

    @Test func whoClosesAStoreThatWasReplacedLeavesTheLogOfTheNewOneAlone() async throws {
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

    @Test func whatIsTakenBackIsMarkedAsSaved() async throws {
        let store = try SQLiteStore.open(at: path)
        try await StoreUnderTest { store }.stage(Samples.names(3))
        let before = try StoreMark(besideStoreAt: path).read()
        try await store.revoke(Samples.runID(), at: Samples.start)
        #expect(try StoreMark(besideStoreAt: path).read() != before)
    }

    @Test func theMarkIsForItsOwnerAlone() async throws {
        try await kill(keeping: [])
        #expect(try folder.mode("store.sqlite.mark") == 0o600)
    }
}
