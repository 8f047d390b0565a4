#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A time as a person writes it: an instant as RFC 3339 has it, or a date, which stands for its whole day in UTC.
package struct WrittenTime: Hashable, Sendable {
    /// The instant, or the first one of the day.
    package let start: Date
    /// The instant, or the first one behind the day.
    package let end: Date

    private static let secondsPerDay = 86_400

    /// Reads one.
    ///
    /// - Parameter text: such as `2026-12-01` or `2026-12-01T09:00:00Z`, also with a fraction or an offset such as `+01:00`.
    /// - Returns: nil for anything else, and for days that no calendar has.
    package init?(_ text: String) {
        guard let date = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})(.*)/)?.output,
            let year = Int(date.1), let month = Int(date.2), let dayOfMonth = Int(date.3),
            let day = CalendarDay(year: year, month: month, day: dayOfMonth)
        else { return nil }
        let midnight = day.number * Self.secondsPerDay
        guard !date.4.isEmpty else {
            start = Date(timeIntervalSince1970: Double(midnight))
            end = Date(timeIntervalSince1970: Double(midnight + Self.secondsPerDay))
            return
        }
        let form =
            /[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})/
        // A minute with a leap second has a sixtieth.
        guard let time = date.4.wholeMatch(of: form)?.output,
            let hours = Self.number(time.1, most: 23), let minutes = Self.number(time.2, most: 59),
            let seconds = Self.number(time.3, most: 60), let offset = Self.offset(time.5)
        else { return nil }
        let fraction = time.4.flatMap { Double("0" + $0) } ?? 0
        let whole = midnight + hours * 3_600 + minutes * 60 + seconds - offset
        start = Date(timeIntervalSince1970: Double(whole) + fraction)
        end = start
    }

    private static func number(_ digits: Substring, most: Int) -> Int? {
        Int(digits).flatMap { $0 <= most ? $0 : nil }
    }

    /// How many seconds a zone is ahead of UTC.
    private static func offset(_ zone: Substring) -> Int? {
        guard zone.count > 1 else { return 0 }
        let parts = zone.dropFirst().split(separator: ":")
        guard parts.count == 2, let hours = number(parts[0], most: 23),
            let minutes = number(parts[1], most: 59)
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return zone.hasPrefix("-") ? -seconds : seconds
    }
}
