import CampaignCore
import Foundation
import GRDB
@unsafe @preconcurrency import GRDBSQLite
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver

/// SQLite's folder for temporary files is a setting of the process, so each test runs in its own
/// process.
@Suite(.bounded) struct SpillTests {
    @Test("A large audience spills into unnamed files next to the store")
    func largeAudienceSpillsIntoUnnamedFilesNextToTheStore() async throws {
        try await OwnProcess.run { _ in
            let folder = try TemporaryFolder()
            let path = folder.file("store.sqlite")
            try await Self.sort(20_000, in: try SQLiteSorter(besideStoreAt: path, cache: 65_536)) {
                let spilled = try Self.openTemporaryFiles()
                #expect(!spilled.isEmpty)
                #expect(spilled.allSatisfy { $0.hasPrefix(folder.path + "/") })
                #expect(try Self.modesOfTemporaryFiles().allSatisfy { $0 == 0o600 })
                #expect(try folder.contents() == [])
            }
            #expect(try Self.openTemporaryFiles() == [])
        }
    }

    @Test("A large audience stays in memory if no file can be written")
    func largeAudienceStaysInMemoryIfNoFileCanBeWritten() async throws {
        try await OwnProcess.run { _ in
            let folder = try TemporaryFolder()
            let sorter = try SQLiteSorter(folder: folder.path, isWritable: false, cache: 65_536)
            try await Self.sort(20_000, in: sorter) {
                let spilled = try Self.openTemporaryFiles()
                #expect(spilled == [])
                #expect(try folder.contents() == [])
            }
        }
    }

    @Test("A small audience stays in memory") func smallAudienceStaysInMemory() async throws {
        try await OwnProcess.run { _ in
            let folder = try TemporaryFolder()
            let path = folder.file("store.sqlite")
            try await Self.sort(5_000, in: try SQLiteSorter(besideStoreAt: path)) {
                let spilled = try Self.openTemporaryFiles()
                #expect(spilled == [])
            }
        }
    }

    @Test("A sort that does not fit in memory uses files next to the store")
    func sortThatDoesNotFitInMemoryUsesFilesNextToTheStore() async throws {
        try await OwnProcess.run { _ in
            let folder = try TemporaryFolder()
            let store = try SQLiteStore.open(at: folder.file("store.sqlite"))
            // A sort that does not fit into its cache.
            let places = try store.pool.writeWithoutTransaction { db in
                try db.execute(
                    sql: """
                        PRAGMA temp.cache_size = 10;
                        CREATE TEMP TABLE numbers (a TEXT);
                        INSERT INTO temp.numbers
                            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
                            SELECT hex(i * 7919) || 'a filler for the row' FROM n
                        """)
                return try Self.temporaryFiles()
            }
            #expect(!places.isEmpty)
            #expect(places.allSatisfy { $0.path.hasPrefix(folder.path + "/") })
            #expect(try Self.modes(of: places).allSatisfy { $0 == 0o600 })
        }
    }

    @Test("A second store does not move the first store's temporary files")
    func secondStoreDoesNotMoveTheFirstStoresTemporaryFiles() async throws {
        try await OwnProcess.run { _ in
            let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
            _ = try SQLiteStore.open(at: first.file("store.sqlite"))
            _ = try SQLiteStore.open(at: second.file("store.sqlite"))
            let setting = unsafe sqlite3_temp_directory.map { unsafe String(cString: $0) }
            #expect(setting == first.path)
        }
    }

    @Test("No statement changes the temporary folder")
    func noStatementChangesTheTemporaryFolder() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        let sources = root.appending(path: "Sources/SQLiteDriver")
        let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
            .filter { $0.hasSuffix(".swift") }
        #expect(names.count > 30)
        for name in names {
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            #expect(!text.contains("temp_store_directory"), "\(name)")
        }
    }

    private static func sort(
        _ count: Int, in sorter: SQLiteSorter, then check: () throws -> Void
    ) async throws {
        try await sorter.add(
            Samples.names(count).reversed().map {
                AudienceMember(
                    username: $0, values: ["a value"], origin: AudienceOrigin(file: 1, line: 1))
            })
        #expect(try await sorter.settle(only: nil).final == count)
        #expect(try await sorter.page(after: count - 1, limit: 9).count == 1)
        try check()
    }

    private static func openTemporaryFiles() throws -> [String] {
        try temporaryFiles().map(\.path)
    }

    /// The files' permissions.
    private static func modesOfTemporaryFiles() throws -> [mode_t] {
        try modes(of: temporaryFiles())
    }

    private static func modes(of files: [(descriptor: Int32, path: String)]) throws -> [mode_t] {
        files.map { file in
            var status = stat()
            #expect(unsafe fstat(file.descriptor, &status) == 0)
            return status.st_mode & 0o777
        }
    }

    /// Files without a name that this process holds open for SQLite.
    private static func temporaryFiles() throws -> [(descriptor: Int32, path: String)] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
            // The descriptor used to list the folder is already closed.
            let path = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            guard let path, path.contains("/etilqs_"), let descriptor = Int32(number)
            else { return nil }
            return (descriptor, path)
        }
    }
}
