import CampaignCore
import Foundation
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct StoreNameTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var other: String { folder.file("other.sqlite") }

    private var otherPlace: StoreComponent { .store(path: other) }

    private func link(_ path: String, to name: String) throws {
        try FileManager.default.linkItem(atPath: path, toPath: folder.file(name))
    }

    @Test("A store in use cannot be opened under another name", arguments: [true, false])
    func storeInUseCannotBeOpenedUnderAnotherName(isForReading: Bool) async throws {
        let store = try SQLiteStore.open(at: path)
        try await store.begin(Samples.run())
        try link(path, to: "other.sqlite")
        #expect(throws: StoreError.usedByAnotherName(otherPlace)) {
            _ =
                isForReading
                ? try SQLiteStore.openForReading(at: other) : try SQLiteStore.open(at: other)
        }
        #expect(StoreError.usedByAnotherName(otherPlace).disposition == .tryAgain)
        #expect(try await SQLiteStore.openForReading(at: path).run(Samples.runID()) != nil)
    }

    @Test("A store renamed while in use cannot be opened under its new name")
    func storeRenamedWhileInUseCannotBeOpenedUnderItsNewName() async throws {
        let store = try SQLiteStore.open(at: path)
        try FileManager.default.moveItem(atPath: path, toPath: other)
        #expect(throws: StoreError.usedByAnotherName(otherPlace)) {
            try SQLiteStore.open(at: other)
        }
        try store.close()
        try SQLiteStore.open(at: other).close()
    }

    @Test("Two names of a store can be used one after the other")
    func twoNamesOfAStoreCanBeUsedOneAfterTheOther() async throws {
        try SQLiteStore.open(at: path).close()
        try link(path, to: "other.sqlite")
        let first = try SQLiteStore.open(at: other)
        try await first.begin(Samples.run())
        try first.close()
        let second = try SQLiteStore.open(at: path)
        #expect(try await second.run(Samples.runID()) != nil)
    }

    @Test("A log that a crash left under another name is detected")
    func logThatACrashLeftUnderAnotherNameIsDetected() async throws {
        let store = try SQLiteStore.open(at: path)
        try await store.begin(Samples.run())
        // The files as a crash leaves them.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: path + suffix, toPath: folder.file("crashed.sqlite") + suffix)
        }
        try link(folder.file("crashed.sqlite"), to: "other.sqlite")
        #expect(throws: StoreError.hasFurtherNames(otherPlace)) {
            try SQLiteStore.open(at: other)
        }
        #expect(StoreError.hasFurtherNames(otherPlace).disposition == .configuration)
        try SQLiteStore.open(at: folder.file("crashed.sqlite")).close()
        let again = try SQLiteStore.open(at: other)
        #expect(try await again.run(Samples.runID()) != nil)
    }

    @Test("A store with a hard link elsewhere is refused")
    func storeWithAHardLinkElsewhereIsRefused() throws {
        try SQLiteStore.open(at: path).close()
        try folder.write("", to: "elsewhere/file")
        try link(path, to: "elsewhere/store.sqlite")
        #expect(throws: StoreError.hasFurtherNames(place)) { try SQLiteStore.open(at: path) }
        try FileManager.default.removeItem(atPath: folder.file("elsewhere/store.sqlite"))
        try SQLiteStore.open(at: path).close()
    }

    @Test("Symbolic links to the file or its folder count as the same name")
    func symbolicLinksToTheFileOrItsFolderCountAsTheSameName() async throws {
        let store = try SQLiteStore.open(at: folder.file("data/store.sqlite"))
        try folder.link("link", to: "data")
        try folder.link("link.sqlite", to: "data/store.sqlite")
        for (name, run) in [("link.sqlite", "bbbbbb"), ("link/store.sqlite", "aaaaaa")] {
            let other = try SQLiteStore.open(at: folder.file(name))
            try await other.begin(Samples.run(run, campaign: run))
            try other.close()
        }
        #expect(try await store.runs(campaign: nil, limit: 9).count == 2)
    }

    /// The file may be on a disk that is not mounted; an empty store in its place would not know
    /// what was sent.
    @Test(
        "A broken link is refused and left unchanged",
        arguments: ["data/store.sqlite", "missing/store.sqlite"])
    func brokenLinkIsRefusedAndLeftUnchanged(target: String) throws {
        try folder.write("", to: "data/other")
        try folder.link("store.sqlite", to: target)
        #expect(throws: StoreError.brokenLink(place)) { try SQLiteStore.open(at: path) }
        #expect(throws: StoreError.brokenLink(place)) { try SQLiteStore.openForReading(at: path) }
        #expect(StoreError.brokenLink(place).disposition == .configuration)
        #expect(try folder.contents() == ["data", "store.sqlite"])
        let files = FileManager.default
        #expect(try files.contentsOfDirectory(atPath: folder.file("data")) == ["other"])
    }
}
