import CampaignCore
import Files
import Foundation
import Glibc
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct PayloadKeyFileTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("", to: "store.sqlite", mode: 0o600)
    }

    private var file: PayloadKeyFile { PayloadKeyFile(besideStoreAt: path, owner: geteuid()) }

    private var keyPlace: StoreComponent { .payloadKey(path: path + ".key") }

    @Test("If the key file is missing, there is no key") func ifTheKeyFileIsMissingThereIsNoKey()
        throws
    {
        #expect(try file.read() == nil)
    }

    @Test("A key is read back unchanged") func keyIsReadBackUnchanged() throws {
        let made = try file.readOrMake()
        #expect(made.isNew)
        #expect(try folder.mode("store.sqlite.key") == 0o600)
        #expect(try file.read()?.encoded == made.key.encoded)
        let again = try file.readOrMake()
        #expect(!again.isNew)
        #expect(again.key.encoded == made.key.encoded)
    }

    @Test("Processes that create the key at the same time get the same key")
    func processesThatCreateTheKeyAtTheSameTimeGetTheSameKey() async throws {
        let path = path
        let made = try await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask { @concurrent in
                    let made = try PayloadKeyFile(besideStoreAt: path, owner: geteuid())
                        .readOrMake()
                    return (made.key.encoded, made.isNew)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(made.map(\.0)).count == 1)
        #expect(made.filter(\.1).count == 1)
    }

    @Test("Stores that start to encrypt at the same time share a key")
    func storesThatStartToEncryptAtTheSameTimeShareAKey() async throws {
        let path = path
        let ids = try await withThrowingTaskGroup { group in
            for index in 0..<6 {
                group.addTask { @concurrent in
                    let store = try SQLiteStore.open(
                        at: path, options: StoreOptions(busyTimeout: .seconds(60)))
                    return try await StoreUnderTest { store }.stagePersonal(
                        Samples.names(2),
                        of: Samples.run("aaaaa\(index + 2)", campaign: "c\(index)"))
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let store = try SQLiteStore.open(at: path)
        for id in ids { #expect(try await store.notification(id)?.bytes != nil) }
    }

    @Test("An unfinished key file left by a killed process is harmless")
    func unfinishedKeyFileLeftByAKilledProcessIsHarmless() throws {
        try folder.write("half a k", to: "store.sqlite.key.tmp", mode: 0o600)
        #expect(try file.readOrMake().isNew)
        #expect(try file.read() != nil)
        #expect(try !folder.contents().contains("store.sqlite.key.tmp"))
    }

    @Test("A key file that others can access is refused", arguments: [0o604, 0o644, 0o606])
    func keyFileThatOthersCanAccessIsRefused(mode: Int) throws {
        _ = try file.readOrMake()
        try folder.setMode(mode, of: "store.sqlite.key")
        let fault = StoreError.unprotected(keyPlace, .readableByOthers(.mode))
        #expect(throws: fault) { try file.read() }
        #expect(throws: fault) { try file.readOrMake() }
    }

    @Test("Another user's key file is refused") func anotherUsersKeyFileIsRefused() throws {
        _ = try file.readOrMake()
        // Everybody trusts files that root owns.
        if geteuid() == 0 { #expect(unsafe chown(path + ".key", 1, 1) == 0) }
        let owner = geteuid() == 0 ? SystemUser(1) : .current
        let foreign = PayloadKeyFile(besideStoreAt: path, owner: geteuid() + 2)
        #expect(throws: StoreError.ownedByAnother(keyPlace, owner)) { try foreign.read() }
    }

    @Test(
        "A file without a key is refused",
        arguments: ["", "not a key\n", String(repeating: "ab", count: 600)])
    func fileWithoutAKeyIsRefused(text: String) throws {
        try folder.write(text, to: "store.sqlite.key", mode: 0o600)
        #expect(throws: StoreError.notAKey(keyPlace)) { try file.readOrMake() }
        #expect("\(StoreError.notAKey(keyPlace))".contains(path + ".key"))
    }

    @Test("A folder or link in place of the key file is refused")
    func folderOrLinkInPlaceOfTheKeyFileIsRefused() throws {
        try FileManager.default.createDirectory(
            atPath: path + ".key", withIntermediateDirectories: false)
        #expect(throws: StoreError.notAKey(keyPlace)) { try file.readOrMake() }
        try FileManager.default.removeItem(atPath: path + ".key")
        try folder.link("store.sqlite.key", to: "elsewhere")
        #expect(throws: StoreError.self) { try file.readOrMake() }
        #expect(try !folder.contents().contains("elsewhere"))
    }
}
