import GRDB
import GRDBSQLite

/// The row that a ``NativeStatement`` stands at; columns count from 0.
@safe
struct NativeRow {
    private let handle: SQLiteStatement

    /// - Parameter handle: a statement that was stepped to a row.
    @unsafe
    init(_ handle: SQLiteStatement) {
        unsafe self.handle = handle
    }

    /// A number; 0 for NULL.
    func integer(_ column: Int32) -> Int {
        Int(unsafe sqlite3_column_int64(handle, column))
    }

    func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// A text; nil for NULL.
    func text(_ column: Int32) -> String? {
        guard let start = unsafe sqlite3_column_text(handle, column) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(
            decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A text that was never NULL when it was written.
    ///
    /// - Throws: `DatabaseError.damaged` for NULL.
    func requiredText(_ column: Int32) throws -> String {
        guard let text = text(column) else { throw DatabaseError.damaged }
        return text
    }

    /// Bytes; none for NULL.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// What stands for the values of the row's first columns.
    func digest(_ columns: Int32) -> Int64 {
        var digest = RowDigest()
        for column in 0..<columns {
            let type = unsafe sqlite3_column_type(handle, column)
            switch type {
            case SQLITE_NULL:
                digest.addNull()
            case SQLITE_INTEGER:
                digest.add(unsafe sqlite3_column_int64(handle, column))
            default:
                let start = unsafe sqlite3_column_blob(handle, column)
                let count = Int(unsafe sqlite3_column_bytes(handle, column))
                unsafe digest.add(
                    UnsafeRawBufferPointer(start: start, count: count), isText: type == SQLITE_TEXT)
            }
        }
        return digest.value
    }
}
