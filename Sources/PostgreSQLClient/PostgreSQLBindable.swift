/// A value for `$1`, `$2` and so on in a statement.
///
/// Each Swift type corresponds to one PostgreSQL type: `Int` and `Int64` to `int8`, `Double` to
/// `float8`, `Bool` to `bool`, `String` to `text`, `[UInt8]` to `bytea`, and arrays of these to
/// arrays, for `unnest`. SQL needs a cast only for another type, such as `$1::int4` for a function
/// without `int8`, or `$1::text::jsonb`.
package protocol PostgreSQLBindable: Sendable {
    /// The type's number in `pg_type`, which is the same on every server.
    static var postgreSQLType: UInt32 { get }
    /// Appends the value in PostgreSQL's binary form; for null, appends nothing and returns false.
    func appendBinary(to bytes: inout [UInt8]) -> Bool
}

/// A value whose arrays can be bound: arrays of `UInt8` as `bytea`, all others as arrays.
package protocol PostgreSQLElement: Sendable {
    /// The number of the array's type in `pg_type`.
    static var postgreSQLListType: UInt32 { get }
    static func appendBinary(_ elements: [Self], to bytes: inout [UInt8])
}

/// The type numbers in `pg_type.dat`.
enum TypeNumber {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let name: UInt32 = 19
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    static let json: UInt32 = 114
    static let float4: UInt32 = 700
    static let float8: UInt32 = 701
    static let unknown: UInt32 = 705
    static let boolArray: UInt32 = 1000
    static let byteaArray: UInt32 = 1001
    static let textArray: UInt32 = 1009
    static let int8Array: UInt32 = 1016
    static let float8Array: UInt32 = 1022
    static let bpchar: UInt32 = 1042
    static let varchar: UInt32 = 1043
}

extension Int: PostgreSQLBindable, PostgreSQLElement {
    package static var postgreSQLType: UInt32 { TypeNumber.int8 }
    package static var postgreSQLListType: UInt32 { TypeNumber.int8Array }

    package func appendBinary(to bytes: inout [UInt8]) -> Bool {
        bytes.appendBigEndian(Int64(self))
        return true
    }
}

extension Int64: PostgreSQLBindable, PostgreSQLElement {
    package static var postgreSQLType: UInt32 { TypeNumber.int8 }
    package static var postgreSQLListType: UInt32 { TypeNumber.int8Array }

    package func appendBinary(to bytes: inout [UInt8]) -> Bool {
        bytes.appendBigEndian(self)
        return true
    }
}

extension Double: PostgreSQLBindable, PostgreSQLElement {
    package static var postgreSQLType: UInt32 { TypeNumber.float8 }
    package static var postgreSQLListType: UInt32 { TypeNumber.float8Array }

    package func appendBinary(to bytes: inout [UInt8]) -> Bool {
        bytes.appendBigEndian(bitPattern)
        return true
    }
}

extension Bool: PostgreSQLBindable, PostgreSQLElement {
    package static var postgreSQLType: UInt32 { TypeNumber.bool }
    package static var postgreSQLListType: UInt32 { TypeNumber.boolArray }

    package func appendBinary(to bytes: inout [UInt8]) -> Bool {
        bytes.append(self ? 1 : 0)
        return true
    }
}

extension String: PostgreSQLBindable, PostgreSQLElement {
    package static var postgreSQLType: UInt32 { TypeNumber.text }
    package static var postgreSQLListType: UInt32 { TypeNumber.textArray }

    package func appendBinary(to bytes: inout [UInt8]) -> Bool {
        bytes.append(contentsOf: utf8)
        return true
    }
}

extension UInt8: PostgreSQLElement {
    package static var postgreSQLListType: UInt32 { TypeNumber.bytea }

    package static func appendBinary(_ elements: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: elements)
    }
}

extension Array: PostgreSQLBindable where Element: PostgreSQLElement {
    package static var postgreSQLType: UInt32 { Element.postgreSQLListType }

    package func appendBinary(to bytes: inout [UInt8]) -> Bool {
        Element.appendBinary(self, to: &bytes)
        return true
    }
}

extension Array: PostgreSQLElement where Element == UInt8 {
    package static var postgreSQLListType: UInt32 { TypeNumber.byteaArray }
}

extension Optional: PostgreSQLBindable where Wrapped: PostgreSQLBindable {
    package static var postgreSQLType: UInt32 { Wrapped.postgreSQLType }

    package func appendBinary(to bytes: inout [UInt8]) -> Bool {
        guard let self else { return false }
        return self.appendBinary(to: &bytes)
    }
}

extension Optional: PostgreSQLElement where Wrapped: PostgreSQLElement & PostgreSQLBindable {
    package static var postgreSQLListType: UInt32 { Wrapped.postgreSQLListType }
}

extension PostgreSQLElement where Self: PostgreSQLBindable {
    /// A one-dimensional array with lower bound 1 (`array_recv` in PostgreSQL's `arrayfuncs.c`).
    package static func appendBinary(_ elements: [Self], to bytes: inout [UInt8]) {
        bytes.appendBigEndian(Int32(elements.isEmpty ? 0 : 1))
        // The flag for nulls, which the server determines itself.
        bytes.appendBigEndian(Int32(0))
        bytes.appendBigEndian(postgreSQLType)
        guard !elements.isEmpty else { return }
        bytes.appendBigEndian(Int32(truncatingIfNeeded: elements.count))
        bytes.appendBigEndian(Int32(1))
        for element in elements {
            let start = bytes.count
            bytes.appendBigEndian(Int32(-1))
            guard element.appendBinary(to: &bytes) else { continue }
            bytes.replaceBigEndian(
                Int32(truncatingIfNeeded: bytes.count - start - 4), at: start)
        }
    }
}

extension [UInt8] {
    @inline(__always)
    mutating func appendBigEndian<Number: FixedWidthInteger>(_ number: Number) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
    }

    mutating func replaceBigEndian(_ number: Int32, at start: Int) {
        let bits = UInt32(bitPattern: number)
        for index in 0..<4 {
            self[start + index] = UInt8(truncatingIfNeeded: bits >> (24 - 8 * UInt32(index)))
        }
    }
}
