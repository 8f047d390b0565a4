/// A value for `?1`, `?2` and so on in a statement; a null has a type too.
package enum SQLValue: Hashable, Sendable {
    case integer(Int64?)
    case bool(Bool?)
    case text(String?)
    case bytes([UInt8]?)
}

/// What can be bound: `Int`, `Int64`, `Bool`, `String`, `[UInt8]`, and optionals of these.
package protocol SQLBindable: Sendable {
    static var sqlNull: SQLValue { get }
    var sqlValue: SQLValue { get }
}

extension Int: SQLBindable {
    package static var sqlNull: SQLValue { .integer(nil) }
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLBindable {
    package static var sqlNull: SQLValue { .integer(nil) }
    package var sqlValue: SQLValue { .integer(self) }
}

extension Bool: SQLBindable {
    package static var sqlNull: SQLValue { .bool(nil) }
    package var sqlValue: SQLValue { .bool(self) }
}

extension String: SQLBindable {
    package static var sqlNull: SQLValue { .text(nil) }
    package var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLBindable {
    package static var sqlNull: SQLValue { .bytes(nil) }
    package var sqlValue: SQLValue { .bytes(self) }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    package static var sqlNull: SQLValue { Wrapped.sqlNull }
    package var sqlValue: SQLValue { self?.sqlValue ?? Wrapped.sqlNull }
}
