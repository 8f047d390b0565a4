import CampaignCore
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

/// Where SQLite keeps its temporary files is a setting of the process, so each test has one of its own.
@Suite(.bounded) struct SpillTests {
    @Test func aLargeAudienceSpillsIntoUnnamedFilesBesideTheStore() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.file("store.sqlite")
            try await Self.sort(50_000, in: try AudienceScratch(besideStoreAt: path, cache: 65_536))
            {
                let spilled = try Self.openTemporaryFiles()
                #expect(!spilled.isEmpty)
                #expect(spilled.allSatisfy { $0.hasPrefix(folder.path + "/") })
                #expect(try Self.modesOfTemporaryFiles().allSatisfy { $0 == 0o600 })
                #expect(try folder.contents() == [])
            }
            #expect(try Self.openTemporaryFiles() == [])
        }
    }

    @Test func aSmallAudienceStaysInMemory() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.file("store.sqlite")
            try await Self.sort(5_000, in: try AudienceScratch(besideStoreAt: path)) {
                let spilled = try Self.openTemporaryFiles()
                #expect(spilled == [])
            }
        }
    }

    @Test func aStoreSortsItsIdsBesideItself() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let store = try SQLiteStore.open(at: folder.file("store.sqlite"))
            let setting = try store.pool.writeWithoutTransaction { db in
                try String.fetchOne(db, sql: "PRAGMA temp_store_directory")
            }
            #expect(setting == folder.path)
        }
    }

    private static func sort(
        _ count: Int, in scratch: AudienceScratch, then check: () throws -> Void
    ) async throws {
        try await scratch.add(
            Samples.names(count).reversed().map {
                AudienceMember(
                    username: $0, values: ["a value"], origin: AudienceOrigin(file: 1, line: 1))
            })
        #expect(try await scratch.settle(only: nil).final == count)
        #expect(try await scratch.page(after: count - 1, limit: 9).count == 1)
        try check()
        await scratch.close()
    }

    /// Files without a name that this process holds for sorting.
    private static func openTemporaryFiles() throws -> [String] {
        try temporaryFiles().map(\.path)
    }

    /// Who may do what with them.
    private static func modesOfTemporaryFiles() throws -> [mode_t] {
        try temporaryFiles().map { file in
            var status = stat()
            #expect(unsafe fstat(file.descriptor, &status) == 0)
            return status.st_mode & 0o777
        }
    }

    private static func temporaryFiles() throws -> [(descriptor: Int32, path: String)] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
            // The descriptor that lists the folder is gone by now.
            let path = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            guard let path, path.contains(".hubsend-scratch-"), let descriptor = Int32(number)
            else { return nil }
            return (descriptor, path)
        }
    }
}
