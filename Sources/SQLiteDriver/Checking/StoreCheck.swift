import GRDB
import GRDBSQLite
import Storage

/// Checks whether a store is intact, without reading the rows of recipients.
enum StoreCheck {
    /// The value of `PRAGMA auto_vacuum` for a file that can return space page by page.
    static let incremental = 2

    /// If a file has a higher write version, SQLite only reads it, as if the system did not allow
    /// writing (SQLite's database file format, section 1.3.3).
    private static let mostWriteVersion = 2

    /// Tables with only a few rows per run; the large tables are checked when a run is continued.
    private static let smallTables = ["sqlite_schema", "runs", "run_platforms", "progress"]

    /// The schema that this version creates, read from an empty store in memory.
    private static let made = Result {
        var configuration = Configuration()
        configuration.prepareDatabase(RowSeal.addFunctions)
        let store = try DatabaseQueue(configuration: configuration)
        try StoreSchema.migrator.migrate(store)
        return try store.read(objects)
    }

    /// Checks the file's settings, and the structure of its small tables and their indexes.
    static func checkStructure(_ db: Database) throws {
        guard reservedBytes(db) == 0, writeVersion(db) <= mostWriteVersion else {
            throw DamagedValue()
        }
        // With wrong settings, SQLite would overwrite other data. With incremental vacuum, the
        // pointer map is the second page; otherwise, the migrator's table begins there. Each tree
        // begins at a different page.
        let isOrdered = try Bool.fetchOne(
            db,
            sql: """
                SELECT (SELECT auto_vacuum FROM pragma_auto_vacuum)
                        = iif(max(rootpage = 2), 0, \(incremental))
                    AND (SELECT encoding FROM pragma_encoding) = 'UTF-8'
                    AND (SELECT freelist_count FROM pragma_freelist_count) < pages
                    AND coalesce(max(rootpage) <= pages, TRUE)
                    AND count(rootpage) = count(DISTINCT rootpage)
                FROM (SELECT page_count AS pages FROM pragma_page_count)
                LEFT JOIN sqlite_schema ON rootpage > 0
                """)
        guard isOrdered == true else { throw DamagedValue() }
        let tables = try Set(
            String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
        for table in smallTables where table == "sqlite_schema" || tables.contains(table) {
            try check("integrity_check('\(table)')", db)
        }
    }

    /// Checks that a store of this version has all tables as they were created, and all runs as
    /// they were written.
    static func checkContent(_ db: Database) throws {
        guard try made.get().isSubset(of: objects(db)) else { throw DamagedValue() }
        try RowSeal.check(db)
    }

    /// Whether damage explains an error of SQLite; reads everything, which may take minutes.
    static func isDamaged(_ db: Database) -> Bool {
        do {
            try check("integrity_check(1)", db)
            return false
        } catch let error as DatabaseError {
            return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        } catch {
            return error is DamagedValue
        }
    }

    /// Looks for damage with a pragma that returns `ok` if there is none.
    static func check(_ pragma: String, _ db: Database) throws {
        guard try String.fetchAll(db, sql: "PRAGMA \(pragma)") == ["ok"] else {
            throw DamagedValue()
        }
    }

    /// The tables and indexes with everything that SQLite knows about them except their pages,
    /// without white space.
    private static func objects(_ db: Database) throws -> Set<String> {
        let texts = try String.fetchAll(
            db,
            sql: """
                SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '')
                FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'
                """)
        return Set(texts.map { $0.filter { !$0.isWhitespace } })
    }

    private static func reservedBytes(_ db: Database) -> Int32 {
        // A negative number queries the value without changing it (sqlite3_file_control).
        var count: Int32 = -1
        let code = unsafe sqlite3_file_control(
            db.sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
        return code == SQLITE_OK ? count : -1
    }

    private static func writeVersion(_ db: Database) -> UInt8 {
        var version: UInt8 = .max
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = unsafe sqlite3_file_control(
            db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard code == SQLITE_OK, let file = unsafe file,
            let methods = unsafe file.pointee.pMethods,
            unsafe methods.pointee.xRead(file, &version, 1, 18) == SQLITE_OK
        else { return .max }
        return version
    }
}
