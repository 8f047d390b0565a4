import GRDB

/// Where SQLite keeps what does not fit into its caches: files without a name, mode 0600, that are gone with their connection.
///
/// Beside the store, never in a folder that others share (contract, section 8.7). SQLite has one such setting for the whole process:
/// where several stores are open, all their temporary files stand beside the one that was opened last.
enum TemporaryFiles {
    /// Sends the process's temporary files to a folder.
    ///
    /// - Parameters:
    ///   - folder: an existing folder that can be written.
    ///   - db: any connection.
    ///   - place: what an error names.
    /// - Throws: ``StoreError/settingRefused(_:setting:)`` when SQLite was built without the setting, or its own error when the
    ///   folder cannot be written.
    static func keep(in folder: String, _ db: Database, at place: StorePlace) throws {
        if try String.fetchOne(db, sql: "PRAGMA temp_store_directory") == folder { return }
        let literal = folder.replacing("'", with: "''")
        do {
            try db.execute(sql: "PRAGMA temp_store_directory = '\(literal)'")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw StoreError.inaccessible(place, reason: "its folder cannot be written")
        }
        // Not necessarily this folder: another store may have been opened meanwhile.
        guard try String.fetchOne(db, sql: "PRAGMA temp_store_directory") != nil else {
            throw StoreError.settingRefused(place, setting: "temp_store_directory")
        }
    }
}
