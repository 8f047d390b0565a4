import CampaignCore
import Files
import Foundation
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct StoreLockTests {
    let folder: TemporaryFolder
    let lock: StoreLock

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("", to: "store.sqlite", mode: 0o600)
        lock = StoreLock(ofStoreAt: folder.file("store.sqlite"))
    }

    @Test("A campaign's lock can be held only once") func campaignsLockCanBeHeldOnlyOnce() throws {
        let held = try #require(try lock.acquire(campaign: "spring-sale"))
        #expect(try lock.acquire(campaign: "spring-sale") == nil)
        held.release()
        #expect(try lock.acquire(campaign: "spring-sale") != nil)
    }

    @Test("Campaigns have separate locks") func campaignsHaveSeparateLocks() throws {
        let held = try (0..<50).map { try lock.acquire(campaign: "campaign-\($0)") }
        #expect(held.allSatisfy { $0 != nil })
    }

    @Test("Stores have separate locks") func storesHaveSeparateLocks() throws {
        let other = StoreLock(ofStoreAt: try folder.write("", to: "other.sqlite", mode: 0o600))
        let held = try lock.acquire(campaign: "spring-sale")
        #expect(try other.acquire(campaign: "spring-sale") != nil)
        held?.release()
    }

    @Test("All spellings of a store's path lead to the same lock")
    func allSpellingsOfAStoresPathLeadToTheSameLock() throws {
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: URL(fileURLWithPath: folder.file("x")).deletingLastPathComponent()
                .path)
        let file = folder.file("other-name.sqlite")
        try FileManager.default.createSymbolicLink(
            atPath: file, withDestinationPath: "store.sqlite")
        let real = Path.resolved(folder.file("store.sqlite"))
        #expect(Path.resolved(link + "/store.sqlite") == real)
        #expect(Path.resolved(file) == real)
        #expect(Path.resolved(link + "/a/b.sqlite") == Path.resolved(folder.file("a/b.sqlite")))
    }

    @Test("Releasing a lock twice does not release another holder's lock")
    func releasingALockTwiceDoesNotReleaseAnotherHoldersLock() throws {
        let first = try #require(try lock.acquire(campaign: "spring-sale"))
        first.release()
        let second = try #require(try lock.acquire(campaign: "spring-sale"))
        first.release()
        #expect(try lock.acquire(campaign: "spring-sale") == nil)
        second.release()
    }

    @Test("A lock is released when nothing refers to it")
    func lockIsReleasedWhenNothingRefersToIt() throws {
        do {
            let forgotten = try lock.acquire(campaign: "spring-sale")
            #expect(forgotten != nil)
        }
        #expect(try lock.acquire(campaign: "spring-sale") != nil)
    }

    @Test("Opening the store does not release the lock")
    func openingTheStoreDoesNotReleaseTheLock() throws {
        let held = try #require(try lock.acquire(campaign: "spring-sale"))
        try SQLiteStore.open(at: folder.file("store.sqlite")).close()
        #expect(try lock.acquire(campaign: "spring-sale") == nil)
        held.release()
    }

    @Test("A lock leaves no file that could be deleted")
    func lockLeavesNoFileThatCouldBeDeleted() throws {
        let held = try #require(try lock.acquire(campaign: "spring-sale"))
        #expect(try folder.contents() == ["store.sqlite"])
        held.release()
        #expect(try folder.contents() == ["store.sqlite"])
    }

    @Test("A lock applies to all names of the store", arguments: [true, false])
    func lockAppliesToAllNamesOfTheStore(isRenamed: Bool) throws {
        let held = try #require(try lock.acquire(campaign: "spring-sale"))
        let path = folder.file("other-name.sqlite")
        if isRenamed {
            try FileManager.default.moveItem(atPath: folder.file("store.sqlite"), toPath: path)
        } else {
            try FileManager.default.linkItem(atPath: folder.file("store.sqlite"), toPath: path)
        }
        let other = StoreLock(ofStoreAt: path)
        #expect(try other.acquire(campaign: "spring-sale") == nil)
        #expect(try other.isHeld(campaign: "spring-sale"))
        #expect(try !other.isHeld(campaign: "summer-sale"))
        held.release()
        #expect(try !other.isHeld(campaign: "spring-sale"))
        #expect(try other.acquire(campaign: "spring-sale") != nil)
    }

    @Test("Closing the store does not release the lock")
    func closingTheStoreDoesNotReleaseTheLock() throws {
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"))
        let held = try #require(try lock.acquire(campaign: "spring-sale"))
        try store.close()
        #expect(try lock.isHeld(campaign: "spring-sale"))
        #expect(try lock.acquire(campaign: "spring-sale") == nil)
        held.release()
        #expect(try !lock.isHeld(campaign: "spring-sale"))
    }

    /// An earlier version locks the same campaign in a file next to the store.
    @Test("A lock held by an earlier version is respected")
    func lockHeldByAnEarlierVersionIsRespected() throws {
        let byte = 1 + StoreInode.number(of: "spring-sale")
        let path = folder.file("store.sqlite.lock")
        let theirs = try #require(try FileLock.take(byte, of: OpenFile(path, for: .locking)))
        #expect(try lock.isHeld(campaign: "spring-sale"))
        #expect(try lock.acquire(campaign: "spring-sale") == nil)
        #expect(try lock.acquire(campaign: "summer-sale") != nil)
        theirs.release()
        let ours = try #require(try lock.acquire(campaign: "spring-sale"))
        #expect(try FileLock.take(byte, of: OpenFile(path, for: .locking)) == nil)
        ours.release()
        #expect(try FileLock.take(byte, of: OpenFile(path, for: .locking)) != nil)
    }

    @Test("A lock is released when its process ends") func lockIsReleasedWhenItsProcessEnds()
        async throws
    {
        let path = folder.file("store.sqlite")
        try await OwnProcess.run(endingWith: 7, passing: [path]) { values in
            let held = try StoreLock(ofStoreAt: values[0]).acquire(campaign: "spring-sale")
            exit(held == nil ? 1 : 7)
        }
        #expect(try lock.acquire(campaign: "spring-sale") != nil)
    }

    @Test("A lock excludes other processes") func lockExcludesOtherProcesses() async throws {
        let path = folder.file("store.sqlite")
        let held = try #require(try lock.acquire(campaign: "spring-sale"))
        try await OwnProcess.run(endingWith: 7, passing: [path]) { values in
            let second = try StoreLock(ofStoreAt: values[0]).acquire(campaign: "spring-sale")
            exit(second == nil ? 7 : 1)
        }
        held.release()
    }

    @Test("A missing store cannot be locked") func missingStoreCannotBeLocked() throws {
        let path = folder.file("none.sqlite")
        let lock = StoreLock(ofStoreAt: path)
        #expect(throws: StoreError.replaced(.store(path: path))) {
            try lock.acquire(campaign: "spring-sale")
        }
        #expect(try !lock.isHeld(campaign: "spring-sale"))
    }
}
