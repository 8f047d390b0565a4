import GRDB

/// How a file's tables stand to this version's.
enum StoreVersion {
    /// No tables yet.
    case empty
    case older
    case current
    case newer
    /// Another program's.
    case foreign

    /// Looks at a file without changing it.
    ///
    /// - Throws: `DatabaseError` when it cannot be read or is no database.
    init(of db: Database) throws {
        // The migrator's own table comes first, in a transaction of its own.
        let tables = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'")
        let mark = try Int.fetchOne(db, sql: "PRAGMA application_id")
        if tables == 0, mark == 0 {
            self = .empty
        } else if mark != StoreSchema.applicationID {
            self = .foreign
        } else if try StoreSchema.migrator.hasBeenSuperseded(db) {
            self = .newer
        } else {
            self = try StoreSchema.migrator.hasCompletedMigrations(db) ? .current : .older
        }
    }
}
