/// One row of a result; it keeps the whole result that it is of.
///
/// Columns count from 0. A value is read by the type that the server names: integers from `int2`, `int4`, `int8` and `oid`,
/// texts from `text`, `varchar`, `char`, `name` and `json`, besides `bool`, `bytea`, `float4` and `float8`. What a sum gives is
/// `numeric`, which has to be cast in the statement.
package struct PostgreSQLRow {
    private let result: LibPQResult
    private let row: Int

    /// Points at a row.
    init(_ result: LibPQResult, _ row: Int) {
        self.result = result
        self.row = row
    }

    /// How many columns it has.
    package var count: Int { result.columnCount }

    /// Whether a column is null; a column that is not there is.
    package func isNull(_ column: Int) -> Bool {
        guard 0..<count ~= column else { return true }
        return unsafe result.value(column, of: row) { _ in true } == nil
    }

    /// An integer.
    ///
    /// - Throws: ``PostgreSQLError`` of the kind ``PostgreSQLError/Kind/unexpectedValue`` when it is null or of another type,
    ///   as all of these do.
    package func int(_ column: Int) throws -> Int {
        Int(try int64(column))
    }

    /// An integer or nil.
    package func optionalInt(_ column: Int) throws -> Int? {
        try optionalInt64(column).map { Int($0) }
    }

    /// An integer.
    package func int64(_ column: Int) throws -> Int64 {
        try required(optionalInt64(column), column)
    }

    /// An integer or nil.
    package func optionalInt64(_ column: Int) throws -> Int64? {
        let type = try type(of: column)
        return unsafe try result.value(column, of: row) { bytes in
            switch (type, bytes.count) {
            case (TypeNumber.int8, 8):
                Int64(bigEndian: unsafe bytes.loadUnaligned(as: Int64.self))
            case (TypeNumber.int4, 4):
                Int64(Int32(bigEndian: unsafe bytes.loadUnaligned(as: Int32.self)))
            case (TypeNumber.int2, 2):
                Int64(Int16(bigEndian: unsafe bytes.loadUnaligned(as: Int16.self)))
            case (TypeNumber.oid, 4):
                Int64(UInt32(bigEndian: unsafe bytes.loadUnaligned(as: UInt32.self)))
            default: throw unexpected(column, "an integer", type)
            }
        }
    }

    /// A text.
    package func text(_ column: Int) throws -> String {
        try required(optionalText(column), column)
    }

    /// A text or nil.
    package func optionalText(_ column: Int) throws -> String? {
        let type = try type(of: column)
        switch type {
        case TypeNumber.text, TypeNumber.varchar, TypeNumber.bpchar, TypeNumber.name,
            TypeNumber.json,
            TypeNumber.unknown:
            return unsafe result.value(column, of: row) {
                unsafe String(decoding: $0, as: UTF8.self)
            }
        default: throw unexpected(column, "a text", type)
        }
    }

    /// Bytes.
    package func bytes(_ column: Int) throws -> [UInt8] {
        try required(optionalBytes(column), column)
    }

    /// Bytes or nil.
    package func optionalBytes(_ column: Int) throws -> [UInt8]? {
        let type = try type(of: column)
        guard type == TypeNumber.bytea else { throw unexpected(column, "bytea", type) }
        return unsafe result.value(column, of: row) { unsafe Array($0) }
    }

    /// Whether something is so.
    package func bool(_ column: Int) throws -> Bool {
        try required(optionalBool(column), column)
    }

    /// Whether something is so, or nil.
    package func optionalBool(_ column: Int) throws -> Bool? {
        let type = try type(of: column)
        guard type == TypeNumber.bool else { throw unexpected(column, "bool", type) }
        return unsafe result.value(column, of: row) { unsafe $0.first == 1 }
    }

    /// A number.
    package func double(_ column: Int) throws -> Double {
        try required(optionalDouble(column), column)
    }

    /// A number or nil.
    package func optionalDouble(_ column: Int) throws -> Double? {
        let type = try type(of: column)
        return unsafe try result.value(column, of: row) { bytes in
            switch (type, bytes.count) {
            case (TypeNumber.float8, 8):
                Double(bitPattern: UInt64(bigEndian: unsafe bytes.loadUnaligned(as: UInt64.self)))
            case (TypeNumber.float4, 4):
                Double(
                    Float(
                        bitPattern: UInt32(bigEndian: unsafe bytes.loadUnaligned(as: UInt32.self)))
                )
            default: throw unexpected(column, "a float", type)
            }
        }
    }

    private func type(of column: Int) throws -> UInt32 {
        guard 0..<count ~= column else {
            throw PostgreSQLError(
                .unexpectedValue,
                message: "A row has \(count) columns and none of number \(column).")
        }
        return result.type(of: column)
    }

    private func required<Value>(_ value: Value?, _ column: Int) throws -> Value {
        guard let value else {
            throw PostgreSQLError(
                .unexpectedValue,
                message: "Column \(column) of a row is null, which it must not be.")
        }
        return value
    }

    private func unexpected(_ column: Int, _ wanted: String, _ type: UInt32) -> PostgreSQLError {
        PostgreSQLError(
            .unexpectedValue,
            message:
                "Column \(column) of a row is of the type number \(type) where \(wanted) is needed."
        )
    }
}
