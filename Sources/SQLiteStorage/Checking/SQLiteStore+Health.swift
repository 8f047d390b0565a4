import CampaignCore
import Files
import GRDB
package import Storage

// What is asked of a store by someone who only wants to know whether it is well.
extension SQLiteStore {
    /// Looks at every page of the file, which takes longer the larger it is (`PRAGMA quick_check`).
    ///
    /// - Throws: ``StoreError/corrupt(_:)`` for the first page that is damaged; other ``StoreError`` when it cannot be read.
    package func checkPages() async throws {
        try await read { [place] db in
            let found = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
            guard found == ["ok"] else { throw StoreError.corrupt(place) }
        }
    }

    /// Looks whether a store can be made where none is yet; makes nothing.
    ///
    /// - Parameter path: its file.
    /// - Throws: ``StoreError`` when the folder is on a network file system, or cannot be written.
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
