package import FoundationEssentials

/// A time as it is stored, in whole milliseconds since 1970.
package enum StoredTime {
    package static func milliseconds(_ date: Date) -> Int64 {
        Int64((date.timeIntervalSince1970 * 1000).rounded())
    }

    package static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension Date: SQLBindable {
    package static func sqlValue(_ value: Date?) -> SQLValue {
        .integer(value.map(StoredTime.milliseconds))
    }
}

extension SQLRow {
    package func time(_ column: Int) throws -> Date { StoredTime.date(try int64(column)) }

    package func optionalTime(_ column: Int) throws -> Date? {
        isNull(column) ? nil : try time(column)
    }
}
