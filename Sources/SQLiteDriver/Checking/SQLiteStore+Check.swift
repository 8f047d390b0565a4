import Files
import GRDB
package import Storage

extension SQLiteStore {
    /// The maximum number of problems of one kind to list.
    fileprivate static let most = 20

    package func structure() async throws -> (health: StoreHealth, isReadable: Bool) {
        var health = StoreHealth(bytes: try inode.size())
        health.damage = try await read { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check(\(Self.most))")
                .filter { $0 != "ok" }.map { .structure("SQLite: \($0)") }
        }
        return (health, health.damage.isEmpty)
    }

    /// Checks every page of the file; throws ``StoreError/corrupt(_:)`` if a page is damaged.
    package func checkPages() async throws {
        try await read { db in try StoreCheck.check("quick_check(1)", db) }
    }

    /// Checks whether a store could be created, without creating it.
    package static func checkPlace(forStoreAt path: String) throws(StoreError) {
        let place = StoreComponent.store(path: path)
        let folder = try place.access { () throws(SystemError) in
            try Folder.nearest(Path.folder(of: path))
        }
        try NetworkFileSystem.refuse(folder: folder, at: place)
        guard Folder.mayWrite(folder) else {
            throw .inaccessible(place, reason: "the folder \(folder) cannot be written")
        }
    }
}

extension Database {
    package func brokenReferences() throws -> [StoreDamage] {
        try rows(
            """
            SELECT DISTINCT "table", parent FROM pragma_foreign_key_check
            LIMIT \(SQLiteStore.most)
            """
        ) { .reference(from: try $0.text(0), to: try $0.text(1)) }
    }

    package func isWhole(
        _ run: StoredRun, recipients: Int, isThorough: Bool
    ) throws -> Bool {
        do {
            try RunDigests.check(run.key, self)
            return true
        } catch is DamagedValue {
            return false
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return false
        }
    }
}
