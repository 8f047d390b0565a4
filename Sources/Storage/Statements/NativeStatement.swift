import GRDB
import GRDBSQLite

/// A prepared statement that is bound, run and read through SQLite's own functions, for what happens once a row.
///
/// GRDB boxes every value that it binds or reads, which costs several times what SQLite does with it. Nothing that GRDB watches
/// over, such as the beginning and the end of a transaction, may be run by this.
@safe
struct NativeStatement {
    private let statement: Statement
    private let db: Database

    private var handle: SQLiteStatement { unsafe statement.sqliteStatement }

    /// Prepares a statement; once a connection, however often it is asked for.
    ///
    /// - Parameters:
    ///   - sql: one statement. No other part of the program may keep values bound to the same text.
    ///   - db: the connection, for as long as the value lives.
    /// - Throws: `DatabaseError`.
    init(_ sql: String, _ db: Database) throws {
        self.statement = try db.cachedStatement(sql: sql)
        self.db = db
    }

    /// Binds all parameters, for what happens once a call.
    ///
    /// - Throws: `DatabaseError` when there are too many or too few.
    func bind(_ arguments: StatementArguments) throws {
        try statement.setArguments(arguments)
    }

    /// Binds a number until another value is bound; so do the other ones.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - parameter: from 1.
    func bind(_ value: Int, at parameter: Int32) {
        bind(Int64(value), at: parameter)
    }

    func bind(_ value: Int64, at parameter: Int32) {
        unsafe sqlite3_bind_int64(handle, parameter, value)
    }

    func bind(_ value: Int64?, at parameter: Int32) {
        if let value {
            bind(value, at: parameter)
        } else {
            unsafe sqlite3_bind_null(handle, parameter)
        }
    }

    /// Binds a text, or NULL where there is none.
    func bind(_ text: String?, at parameter: Int32) {
        guard var text else {
            unsafe sqlite3_bind_null(handle, parameter)
            return
        }
        text.withUTF8 { bytes in
            _ = unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe sqlite3_bind_text(
                    handle, parameter, characters.baseAddress, Int32(characters.count),
                    Self.copying)
            }
        }
    }

    /// Binds bytes, or NULL where there are none.
    func bind(_ blob: [UInt8]?, at parameter: Int32) {
        guard let blob else {
            unsafe sqlite3_bind_null(handle, parameter)
            return
        }
        unsafe blob.withUnsafeBytes { bytes in
            _ = unsafe sqlite3_bind_blob(
                handle, parameter, bytes.baseAddress, Int32(bytes.count), Self.copying)
        }
    }

    /// Runs a statement that gives no rows; it can be run again at once.
    ///
    /// - Throws: `DatabaseError`.
    func run() throws {
        let code = unsafe sqlite3_step(handle)
        // What it says of a failure is asked before the reset may change it.
        let failure = code == SQLITE_DONE ? nil : failure(code)
        unsafe sqlite3_reset(handle)
        if let failure { throw failure }
    }

    /// Runs a statement that gives no rows with a text that SQLite reads where it stands; a copy would take as long as a short row.
    ///
    /// - Parameters:
    ///   - text: the text, or nil for NULL; forgotten afterwards.
    ///   - parameter: where it belongs, from 1.
    /// - Throws: `DatabaseError`.
    func run(with text: String?, at parameter: Int32) throws {
        unsafe sqlite3_bind_null(handle, parameter)
        guard var text else { return try run() }
        try text.withUTF8 { bytes in
            try unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                // No destructor: the text stays where it is until the parameter is NULL again.
                unsafe sqlite3_bind_text(
                    handle, parameter, characters.baseAddress, Int32(characters.count), nil)
                defer { unsafe sqlite3_bind_null(handle, parameter) }
                try run()
            }
        }
    }

    /// Runs a query.
    ///
    /// - Parameter body: is handed every row, which is good for that call only.
    /// - Throws: `DatabaseError`, or what `body` throws.
    func forEachRow(_ body: (NativeRow) throws -> Void) throws {
        defer { unsafe sqlite3_reset(handle) }
        while true {
            let code = unsafe sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: try body(unsafe NativeRow(handle))
            case SQLITE_DONE: return
            default: throw failure(code)
            }
        }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage)
    }

    /// Tells SQLite to copy what it is handed, `SQLITE_TRANSIENT` in C.
    private static var copying: sqlite3_destructor_type? {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}
