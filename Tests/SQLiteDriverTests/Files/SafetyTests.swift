import CampaignCore
import Files
import Foundation
import Glibc
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct SafetyTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Only the owner can access the store's files")
    func onlyTheOwnerCanAccessTheStoresFiles() async throws {
        let store = try SQLiteStore.open(at: path)
        try await store.begin(Samples.run())
        #expect(try folder.contents() == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
        for name in try folder.contents() {
            #expect(try folder.mode(name) == 0o600, "\(name)")
        }
    }

    @Test("Missing folders are created so that only their owner can access them")
    func missingFoldersAreCreatedSoThatOnlyTheirOwnerCanAccessThem() throws {
        try SQLiteStore.open(at: folder.file("a/b/store.sqlite")).close()
        #expect(try folder.mode("a") == 0o700)
        #expect(try folder.mode("a/b") == 0o700)
    }

    @Test("The permissions of a store that others can read are corrected")
    func permissionsOfAStoreThatOthersCanReadAreCorrected() throws {
        try SQLiteStore.open(at: path).close()
        try folder.setMode(0o644, of: "store.sqlite")
        try SQLiteStore.open(at: path).close()
        #expect(try folder.mode("store.sqlite") == 0o600)
    }

    @Test("A store that others can write is refused") func storeThatOthersCanWriteIsRefused() throws
    {
        try SQLiteStore.open(at: path).close()
        try folder.setMode(0o602, of: "store.sqlite")
        let fault = StoreError.unprotected(place, .writableByOthers(.mode))
        #expect(throws: fault) { try SQLiteStore.open(at: path) }
        #expect(throws: fault) { try SQLiteStore.openForReading(at: path) }
        #expect("\(fault)".hasSuffix("Run: chmod go-w \(path)"))
    }

    @Test("Another user's store is refused") func anotherUsersStoreIsRefused() throws {
        try SQLiteStore.open(at: path).close()
        let options = StoreOptions(owner: geteuid() + 1)
        #expect(throws: StoreError.ownedByAnother(place, .current)) {
            try SQLiteStore.open(at: path, options: options)
        }
    }

    @Test("A folder is not accepted as a store") func folderIsNotAcceptedAsAStore() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: StoreError.notAStore(place)) { try SQLiteStore.open(at: path) }
    }

    @Test("The error about a file in place of a folder names it")
    func errorAboutAFileInPlaceOfAFolderNamesIt() throws {
        #expect(FileManager.default.createFile(atPath: folder.file("file"), contents: nil))
        let inside = folder.file("file/store.sqlite")
        #expect(throws: StoreError.inaccessible(.store(path: inside), reason: "not a directory")) {
            try SQLiteStore.open(at: inside)
        }
    }

    @Test("The error about an inaccessible folder names it")
    func errorAboutAnInaccessibleFolderNamesIt() throws {
        let path = "/proc/hubsend/store.sqlite"
        #expect {
            try SQLiteStore.open(at: path)
        } throws: { error in
            (error as? StoreError)?.disposition == .configuration && "\(error)".contains(path)
        }
    }

    @Test("A network file system is refused, and the error names its type")
    func networkFileSystemIsRefusedAndTheErrorNamesItsType() throws {
        let device = try FileStatus(of: folder.path).identity.deviceNumbers
        let mounts = folder.file("mountinfo")
        try """
        21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
        36 21 \(device) / /mnt/team rw,noatime shared:1 - nfs4 server:/export rw,vers=4.2
        """.write(toFile: mounts, atomically: false, encoding: .utf8)
        #expect(throws: StoreError.networkFileSystem(place, kind: "nfs4")) {
            try NetworkFileSystem.refuse(folder: folder.path, at: place, mounts: mounts)
        }
    }

    @Test("A local file system is not mistaken for a network file system")
    func localFileSystemIsNotMistakenForANetworkFileSystem() throws {
        let mounts = """
            21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
            36 21 0:43 / /mnt/team rw - cifs //server/share rw
            a line that is cut
            37 21 0:44
            """
        #expect(NetworkFileSystem.kind(ofDevice: "8:1", in: MountList(mounts)) == nil)
        #expect(NetworkFileSystem.kind(ofDevice: "0:43", in: MountList(mounts)) == "cifs")
        #expect(NetworkFileSystem.kind(ofDevice: "0:44", in: MountList(mounts)) == nil)
    }
}
