import CampaignCore
import Files
import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite(.bounded) struct StoreLockTests {
    let folder: TemporaryFolder
    let lock: StoreLock

    init() throws {
        folder = try TemporaryFolder()
        lock = StoreLock(besideStoreAt: folder.file("store.sqlite"))
    }

    @Test func aCampaignIsHeldOnce() throws {
        let held = try #require(try lock.acquire(campaign: "spring-sale"))
        #expect(try lock.acquire(campaign: "spring-sale") == nil)
        held.release()
        #expect(try lock.acquire(campaign: "spring-sale") != nil)
    }

    @Test func campaignsDoNotHinderEachOther() throws {
        let held = try (0..<50).map { try lock.acquire(campaign: "campaign-\($0)") }
        #expect(held.allSatisfy { $0 != nil })
    }

    @Test func storesDoNotHinderEachOther() throws {
        let other = StoreLock(besideStoreAt: folder.file("other.sqlite"))
        let held = try lock.acquire(campaign: "spring-sale")
        #expect(try other.acquire(campaign: "spring-sale") != nil)
        held?.release()
    }

    @Test func aStoreHasOnePathHoweverItIsNamed() throws {
        try Data().write(to: URL(fileURLWithPath: folder.file("store.sqlite")))
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
        #expect(
            Path.resolved(link + "/a/b.sqlite")
                == Path.resolved(folder.file("a/b.sqlite")))
    }

    @Test func releasingTwiceDoesNotFreeAnothersLock() throws {
        let first = try #require(try lock.acquire(campaign: "spring-sale"))
        first.release()
        let second = try #require(try lock.acquire(campaign: "spring-sale"))
        first.release()
        #expect(try lock.acquire(campaign: "spring-sale") == nil)
        second.release()
    }

    @Test func aForgottenLockIsGivenBack() throws {
        do {
            let forgotten = try lock.acquire(campaign: "spring-sale")
            #expect(forgotten != nil)
        }
        #expect(try lock.acquire(campaign: "spring-sale") != nil)
    }

    @Test func openingTheStoreDoesNotLoseTheLock() throws {
        let held = try #require(try lock.acquire(campaign: "spring-sale"))
        try SQLiteStore.open(at: folder.file("store.sqlite")).close()
        #expect(try lock.acquire(campaign: "spring-sale") == nil)
        held.release()
    }

    @Test func itTakesOnePrivateFileForAllCampaigns() throws {
        for number in 0..<5 { try lock.acquire(campaign: "c\(number)")?.release() }
        #expect(try folder.contents() == ["store.sqlite.lock"])
        #expect(try folder.mode("store.sqlite.lock") == 0o600)
    }

    @Test func aLockDiesWithItsProcess() async throws {
        let path = folder.file("store.sqlite")
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            let held = try StoreLock(besideStoreAt: path).acquire(campaign: "spring-sale")
            exit(held == nil ? 1 : 7)
        }
        #expect(try lock.acquire(campaign: "spring-sale") != nil)
    }

    @Test func anotherProcessIsKeptAway() async throws {
        let path = folder.file("store.sqlite")
        let held = try #require(try lock.acquire(campaign: "spring-sale"))
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            let second = try StoreLock(besideStoreAt: path).acquire(campaign: "spring-sale")
            exit(second == nil ? 7 : 1)
        }
        held.release()
    }

    @Test func aLockFileThatCannotBeMadeIsAnError() {
        let lock = StoreLock(besideStoreAt: "/proc/hubsend/store.sqlite")
        #expect(throws: StoreError.self) { try lock.acquire(campaign: "spring-sale") }
    }
}
