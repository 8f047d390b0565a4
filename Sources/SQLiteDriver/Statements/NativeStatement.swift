import GRDB
import GRDBSQLite
import Storage

/// A prepared statement that uses SQLite's own functions, for work on every row.
///
/// GRDB boxes every value, which costs several times as much as SQLite's own work. Statements that
/// GRDB observes, such as those for transactions, must not be run through this.
@safe
struct NativeStatement {
    private let statement: Statement
    private let db: Database

    private var handle: SQLiteStatement { unsafe statement.sqliteStatement }

    /// Prepares a statement once for each connection, which must outlive this value.
    ///
    /// No other code may keep values bound to a statement with the same text.
    init(_ sql: String, _ db: Database) throws {
        self.statement = try db.cachedStatement(sql: sql)
        self.db = db
    }

    /// Binds the first values, as many as the statement has parameters, until others are bound.
    func bind(_ values: [any SQLBindable]) throws {
        let count = Int(unsafe sqlite3_bind_parameter_count(handle))
        try statement.setArguments(
            StatementArguments(values.prefix(count).map(\.sqlValue.databaseValue)))
    }

    /// Binds a number until another number is bound; parameters are numbered from 1.
    func bind(_ value: Int64, at parameter: Int32) {
        unsafe sqlite3_bind_int64(handle, parameter, value)
    }

    /// Runs a statement that returns no rows; it can be run again immediately.
    func run() throws {
        let code = unsafe sqlite3_step(handle)
        // The error is read before the reset, which may change the message.
        let failure = code == SQLITE_DONE ? nil : failure(code)
        unsafe sqlite3_reset(handle)
        if let failure { throw failure }
    }

    /// Binds all parameters, runs a statement that returns no rows, and clears the values.
    ///
    /// SQLite reads text and bytes in place from `texts`, which must not be empty.
    func run(_ values: ArraySlice<NativeValue>, texts: [UInt8]) throws {
        try unsafe texts.withUnsafeBytes { bytes in
            defer { unsafe sqlite3_clear_bindings(handle) }
            for (index, value) in values.enumerated() {
                let parameter = Int32(index + 1)
                let code: Int32
                switch value {
                case .null: code = unsafe sqlite3_bind_null(handle, parameter)
                case .number(let number):
                    code = unsafe sqlite3_bind_int64(handle, parameter, number)
                case .text(let range):
                    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
                    // There is no destructor, because the bytes stay in place until the bindings
                    // are cleared.
                    code = unsafe sqlite3_bind_text(
                        handle, parameter, text.assumingMemoryBound(to: CChar.self).baseAddress,
                        Int32(text.count), nil)
                case .bytes(let range):
                    let blob = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
                    code = unsafe sqlite3_bind_blob64(
                        handle, parameter, blob.baseAddress, UInt64(blob.count), nil)
                }
                guard code == SQLITE_OK else { throw failure(code) }
            }
            try run()
        }
    }

    /// Runs a query; each row is valid only during the call of `body`.
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
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage,
            sql: statement.sql)
    }
}

/// The current row of a ``NativeStatement``.
@safe
struct NativeRow: SQLRow {
    private let handle: SQLiteStatement

    @unsafe
    fileprivate init(_ handle: SQLiteStatement) {
        unsafe self.handle = handle
    }

    func isNull(_ column: Int) -> Bool {
        unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    /// Returns an integer, or 0 for NULL.
    func integer(_ column: Int) -> Int {
        Int(unsafe sqlite3_column_int64(handle, Int32(column)))
    }

    func int64(_ column: Int) throws -> Int64 {
        guard unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_INTEGER else {
            throw DamagedValue()
        }
        return Int64(integer(column))
    }

    func bool(_ column: Int) throws -> Bool { try int64(column) != 0 }

    func text(_ column: Int) throws -> String {
        guard let start = unsafe sqlite3_column_text(handle, Int32(column)) else {
            throw DamagedValue()
        }
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        return unsafe String(
            decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func bytes(_ column: Int) throws -> [UInt8] {
        guard !isNull(column) else { throw DamagedValue() }
        return unsafe Array(blob(column))
    }

    /// Copies text or a blob into a buffer for many rows; copies nothing for NULL.
    func read(_ column: Int, into buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        unsafe buffer.append(contentsOf: blob(column))
    }

    /// The digest of the first columns of the row.
    func digest(_ columns: Int) -> Int64 {
        var digest = RowDigest()
        for column in 0..<columns {
            let type = unsafe sqlite3_column_type(handle, Int32(column))
            switch type {
            case SQLITE_NULL: digest.addNull()
            case SQLITE_INTEGER: digest.add(Int64(integer(column)))
            default: unsafe digest.add(blob(column), isText: type == SQLITE_TEXT)
            }
        }
        return digest.value
    }

    /// The bytes of text or a blob, in SQLite's memory; empty for NULL.
    private func blob(_ column: Int) -> UnsafeRawBufferPointer {
        let start = unsafe sqlite3_column_blob(handle, Int32(column))
        let count = unsafe sqlite3_column_bytes(handle, Int32(column))
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(count))
    }
}

enum NativeValue {
    case null
    case number(Int64)
    /// A range of the statement's shared byte buffer, in UTF-8.
    case text(Range<Int>)
    /// A range of the statement's shared byte buffer.
    case bytes(Range<Int>)
}
