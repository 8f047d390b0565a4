import CLibPQ

/// The server's answer to one statement; this object is the only owner of its memory.
@safe final class LibPQResult {
    enum Status {
        case done
        case singleRow
        case copyIn
        case failed
    }

    private let result: OpaquePointer
    let rowCount: Int
    let columnCount: Int

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

    /// The command tag, such as `COMMIT` or `INSERT 0 1`.
    var command: String {
        unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? ""
    }

    var affectedRows: Int {
        unsafe PQcmdTuples(result).flatMap { Int(unsafe String(cString: $0)) } ?? 0
    }

    /// The error code; nil if the error did not come from the server.
    var serverError: PostgreSQLError? {
        // The fields of postgres_ext.h: PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY, PG_DIAG_CONSTRAINT_NAME.
        guard let state = field("C") else { return nil }
        return PostgreSQLError(
            sqlState: state, constraint: field("n"), message: field("M") ?? "no message")
    }

    /// The type's number in `pg_type`.
    func type(of column: Int) -> UInt32 {
        unsafe PQftype(result, Int32(column))
    }

    /// Reads a value in place; nil for null.
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
