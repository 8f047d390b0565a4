import Files
import GRDB
package import Storage

extension SQLiteStore {
    /// Looks at every page of the file (`PRAGMA quick_check`); throws ``StoreError/corrupt(_:)``
    /// for a damaged one.
    package func checkPages() async throws {
        try await read { [place] db in
            let found = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
            guard found == ["ok"] else { throw StoreError.corrupt(place) }
        }
    }

    /// Checks whether a store can be made where none is yet, without making one.
    package static func checkPlace(forStoreAt path: String) throws(StoreError) {
        let place = StorePlace.store(path: path)
        let folder = try place.access { () throws(SystemFault) in
            try Folder.nearest(Path.folder(of: path))
        }
        try NetworkFileSystem.refuse(folder: folder, at: place)
        guard Folder.mayWrite(folder) else {
            throw .inaccessible(place, reason: "the folder \(folder) cannot be written")
        }
    }
}
