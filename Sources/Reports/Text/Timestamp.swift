package import FoundationEssentials

/// Times as reports write them: RFC 3339 in UTC, whole seconds, such as `2026-12-01T09:00:00Z`.
///
/// Whole seconds, since jq's `fromdate` and many JSON readers take no others. Written by hand, because a report has one
/// a row and a formatter costs more than the rest of the row.
package enum Timestamp {
    private static let secondsPerDay: Int64 = 86_400
    /// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z, the bounds of RFC 3339.
    private static let bounds: ClosedRange<Double> = -62_167_219_200...253_402_300_799

    /// A time for programs: `2026-12-01T09:00:00Z`.
    package static func text(_ date: Date) -> String {
        var bytes: [UInt8] = []
        append(date, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A time for people: `2026-12-01 09:00:00 UTC`.
    package static func readable(_ date: Date) -> String {
        var bytes: [UInt8] = []
        append(date, to: &bytes)
        bytes[10] = UInt8(ascii: " ")
        bytes.removeLast()
        return String(decoding: bytes, as: UTF8.self) + " UTC"
    }

    /// Appends a time for programs.
    ///
    /// - Parameters:
    ///   - date: rounded down to a second; years outside 0000 to 9999 become the nearest that fits.
    ///   - bytes: gets 20 bytes.
    static func append(_ date: Date, to bytes: inout [UInt8]) {
        let given = date.timeIntervalSince1970.rounded(.down)
        // Written so that a time which is not a number ends at the lower bound and does not trap.
        let bounded = given > bounds.lowerBound ? min(given, bounds.upperBound) : bounds.lowerBound
        let seconds = Int64(bounded)
        let time = (seconds % secondsPerDay + secondsPerDay) % secondsPerDay
        let (year, month, day) = civil(days: (seconds - time) / secondsPerDay)
        append(year / 100, to: &bytes)
        append(year % 100, UInt8(ascii: "-"), to: &bytes)
        append(month, UInt8(ascii: "-"), to: &bytes)
        append(day, UInt8(ascii: "T"), to: &bytes)
        append(time / 3600, UInt8(ascii: ":"), to: &bytes)
        append(time / 60 % 60, UInt8(ascii: ":"), to: &bytes)
        append(time % 60, UInt8(ascii: "Z"), to: &bytes)
    }

    /// Two digits and what stands behind them.
    private static func append(_ number: Int64, _ after: UInt8? = nil, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
        if let after { bytes.append(after) }
    }

    /// The date of the proleptic Gregorian calendar, from days since 1970-01-01.
    ///
    /// Years are counted from March, so that a leap day is a year's last; 400 years have 146,097 days.
    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468 + 146_097
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * march + 2) / 5 + 1
        let month = march < 10 ? march + 3 : march - 9
        let year = yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0)
        return (year, month, day)
    }
}
