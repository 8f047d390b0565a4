import CLibPQ

/// What the server answered to one statement; the only place that holds the memory of a result.
@safe final class LibPQResult {
    enum Status {
        /// The statement is done; it may have rows.
        case done
        /// One row of a result that comes row by row.
        case singleRow
        /// The server waits for rows to copy in.
        case copyIn
        case failed
    }

    private let result: OpaquePointer
    let rowCount: Int
    let columnCount: Int

    /// Takes over a result.
    init(_ result: OpaquePointer) {
        unsafe self.result = result
        rowCount = Int(unsafe PQntuples(result))
        columnCount = Int(unsafe PQnfields(result))
    }

    deinit {
        unsafe PQclear(result)
    }

    var status: Status {
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: .done
        case PGRES_SINGLE_TUPLE: .singleRow
        case PGRES_COPY_IN: .copyIn
        default: .failed
        }
    }

    /// What was done, such as `COMMIT` or `INSERT 0 1`.
    var command: String {
        unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? ""
    }

    /// How many rows were changed, inserted or read.
    var affectedRows: Int {
        unsafe PQcmdTuples(result).flatMap { Int(unsafe String(cString: $0)) } ?? 0
    }

    /// The server's error; nil: the fault is not the server's.
    var serverError: PostgreSQLError? {
        // The fields of postgres_ext.h: PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY, PG_DIAG_CONSTRAINT_NAME.
        guard let state = field("C") else { return nil }
        return PostgreSQLError(
            sqlState: state, constraint: field("n"), message: field("M") ?? "no message")
    }

    /// The number of a column's type in `pg_type`.
    func type(of column: Int) -> UInt32 {
        unsafe PQftype(result, Int32(column))
    }

    /// Reads a value where it lies; nil for a null.
    ///
    /// - Parameters:
    ///   - column: below ``columnCount``.
    ///   - row: below ``rowCount``.
    func value<Value>(
        _ column: Int, of row: Int, _ read: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value? {
        guard unsafe PQgetisnull(result, Int32(row), Int32(column)) == 0 else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: PQgetvalue(result, Int32(row), Int32(column)),
            count: Int(PQgetlength(result, Int32(row), Int32(column))))
        return unsafe try read(bytes)
    }

    private func field(_ code: Unicode.Scalar) -> String? {
        unsafe PQresultErrorField(result, Int32(code.value)).map { unsafe String(cString: $0) }
    }
}
