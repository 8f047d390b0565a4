import Files
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct StoreMachineTests {
    private static let id = "3d1219c7c4c5404aaa1f6d2a48adfda4"

    @Test("The first machine claims the store, and any other machine is refused")
    func firstMachineClaimsTheStoreAndAnyOtherMachineIsRefused() throws {
        let folder = try TemporaryFolder()
        let machine = StoreMachine(besideStoreAt: folder.file("store.sqlite"))
        try machine.claim(for: "one")
        try machine.claim(for: "one")
        #expect(throws: StoreElsewhere.self) { try machine.claim(for: "other") }
        try Folder.removeFile(machine.path)
        try machine.claim(for: "other")
        #expect(throws: StoreElsewhere.self) { try machine.claim(for: "one") }
    }

    @Test("A machine without an ID neither claims a store nor is refused")
    func machineWithoutAnIDNeitherClaimsAStoreNorIsRefused() throws {
        let folder = try TemporaryFolder()
        let machine = StoreMachine(besideStoreAt: folder.file("store.sqlite"))
        try machine.claim(for: nil)
        #expect(try FileStatus.find(machine.path) == nil)
        try machine.claim(for: "one")
        try machine.claim(for: nil)
    }

    @Test(
        "A truncated file identifies no machine", arguments: ["", "hubsend", "other\n"])
    func truncatedFileIdentifiesNoMachine(text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "store.sqlite.machine", mode: 0o600)
        try StoreMachine(besideStoreAt: folder.file("store.sqlite")).claim(for: "one")
    }

    @Test("Only a complete machine ID is hashed, and the hash does not reveal it")
    func onlyACompleteMachineIDIsHashedAndTheHashDoesNotRevealIt() throws {
        let hash = try #require(StoreMachine.hash(ofMachine: Self.id + "\n"))
        #expect(hash.count == 32 && hash != Self.id)
        #expect(StoreMachine.hash(ofMachine: Self.id) == hash)
        for text in ["", "uninitialized\n", String(repeating: "0", count: 32), Self.id + "0"] {
            #expect(StoreMachine.hash(ofMachine: text) == nil)
        }
    }

    @Test("A file system made of image layers is recognised as belonging to a container")
    func fileSystemMadeOfImageLayersIsRecognisedAsBelongingToA() {
        let mounts = MountList(
            """
            21 1 0:51 / / rw,relatime - overlay overlay rw,lowerdir=/a
            36 21 8:1 / /data rw - ext4 /dev/sda1 rw
            """)
        #expect(mounts.isLayered(device: "0:51"))
        #expect(!mounts.isLayered(device: "8:1"))
        let signed = MountList("21 1 0:51 / / ro,relatime - overlay composefs ro,lowerdir+=/b")
        #expect(!signed.isLayered(device: "0:51"))
    }
}
