/// One row of a result, which stays in memory as long as the row; columns are numbered from 0.
///
/// Values are read according to the server's type: integers from `int2`, `int4`, `int8` and `oid`,
/// texts from `text`, `varchar`, `char`, `name` and `json`, and `bool`, `bytea`, `float4` and
/// `float8`. Sums are `numeric` and require a cast in the statement.
package struct PostgreSQLRow {
    private let result: LibPQResult
    private let row: Int

    init(_ result: LibPQResult, _ row: Int) {
        self.result = result
        self.row = row
    }

    package var count: Int { result.columnCount }

    /// Also true for a missing column.
    package func isNull(_ column: Int) -> Bool {
        guard 0..<count ~= column else { return true }
        return unsafe result.value(column, of: row) { _ in true } == nil
    }

    /// The following functions throw ``PostgreSQLError/Kind/unexpectedValue`` for null or another
    /// type.
    package func int(_ column: Int) throws -> Int {
        Int(try int64(column))
    }

    package func optionalInt(_ column: Int) throws -> Int? {
        try optionalInt64(column).map { Int($0) }
    }

    package func int64(_ column: Int) throws -> Int64 {
        try required(optionalInt64(column), column)
    }

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

    package func text(_ column: Int) throws -> String {
        try required(optionalText(column), column)
    }

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

    package func bytes(_ column: Int) throws -> [UInt8] {
        try required(optionalBytes(column), column)
    }

    package func optionalBytes(_ column: Int) throws -> [UInt8]? {
        let type = try type(of: column)
        guard type == TypeNumber.bytea else { throw unexpected(column, "bytea", type) }
        return unsafe result.value(column, of: row) { unsafe Array($0) }
    }

    package func bool(_ column: Int) throws -> Bool {
        try required(optionalBool(column), column)
    }

    package func optionalBool(_ column: Int) throws -> Bool? {
        let type = try type(of: column)
        guard type == TypeNumber.bool else { throw unexpected(column, "bool", type) }
        return unsafe result.value(column, of: row) { unsafe $0.first == 1 }
    }

    package func double(_ column: Int) throws -> Double {
        try required(optionalDouble(column), column)
    }

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
                message: "A row has \(count) columns, but column \(column) was requested.")
        }
        return result.type(of: column)
    }

    private func required<Value>(_ value: Value?, _ column: Int) throws -> Value {
        guard let value else {
            throw PostgreSQLError(
                .unexpectedValue,
                message: "Column \(column) of a row is null, but a value is required.")
        }
        return value
    }

    private func unexpected(_ column: Int, _ wanted: String, _ type: UInt32) -> PostgreSQLError {
        PostgreSQLError(
            .unexpectedValue,
            message:
                "Column \(column) of a row has the type number \(type), but \(wanted) is required."
        )
    }
}
