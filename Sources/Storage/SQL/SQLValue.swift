/// A value for `?1`, `?2` and so on in a statement; even a null has a type.
package enum SQLValue: Hashable, Sendable {
    case integer(Int64?)
    case bool(Bool?)
    case text(String?)
    case bytes([UInt8]?)
}

/// A value that can be bound: `Int`, `Int64`, `Bool`, `String`, `[UInt8]`, `Date`, and optionals of
/// these.
package protocol SQLBindable: Sendable {
    static func sqlValue(_ value: Self?) -> SQLValue
}

extension SQLBindable {
    package var sqlValue: SQLValue { Self.sqlValue(self) }
}

extension Int: SQLBindable {
    package static func sqlValue(_ value: Int?) -> SQLValue { .integer(value.map { Int64($0) }) }
}

extension Int64: SQLBindable {
    package static func sqlValue(_ value: Int64?) -> SQLValue { .integer(value) }
}

extension Bool: SQLBindable {
    package static func sqlValue(_ value: Bool?) -> SQLValue { .bool(value) }
}

extension String: SQLBindable {
    package static func sqlValue(_ value: String?) -> SQLValue { .text(value) }
}

extension [UInt8]: SQLBindable {
    package static func sqlValue(_ value: [UInt8]?) -> SQLValue { .bytes(value) }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    package static func sqlValue(_ value: Wrapped??) -> SQLValue {
        Wrapped.sqlValue(value.flatMap(\.self))
    }
}
