import SQLiteDriver
import Storage
import TestSupport
import Testing

/// Tests a store whose creation was interrupted because the process was killed.
@Suite(.bounded) struct HalfMadeStoreTests {
    /// The first page of an empty database, written but not yet committed.
    private static let page: [UInt8] = {
        var bytes = Array("SQLite format 3\0".utf8)
        bytes += [0x10, 0x00, 0x02, 0x02, 0x00, 0x40, 0x20, 0x20]  // 4 KiB pages, write-ahead log
        return bytes + [UInt8](repeating: 0, count: 4_096 - bytes.count)
    }()

    /// The rollback journal of that transaction: before it, the file had no pages.
    private static let journal: [UInt8] = {
        var bytes: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        bytes += [0, 0, 0, 0]  // records
        bytes += [0x12, 0x34, 0x56, 0x78]  // any number
        bytes += [0, 0, 0, 0]  // pages of the file before
        bytes += [0, 0, 0x02, 0]  // 512 bytes a sector
        bytes += [0, 0, 0x10, 0]  // 4 KiB a page
        return bytes + [UInt8](repeating: 0, count: 512 - bytes.count)
    }()

    @Test("If a process was killed while creating a store, the store is created again")
    func ifAProcessWasKilledWhileCreatingAStoreTheStoreIsCreatedAgain() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.page, to: "store.sqlite", mode: 0o600)
        try folder.write(Self.journal, to: "store.sqlite-journal", mode: 0o600)
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"))
        #expect(try await store.runs(campaign: nil, limit: 1).isEmpty)
        try store.close()
    }
}
