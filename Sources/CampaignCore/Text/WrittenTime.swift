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
            let days = Self.days(year: date.1, month: date.2, day: date.3)
        else { return nil }
        let midnight = days * Self.secondsPerDay
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

    /// The days from 1970-01-01 to a date of the proleptic Gregorian calendar.
    ///
    /// Years are counted from March, so that a leap day is a year's last; 400 years have 146,097 days.
    private static func days(year: Substring, month: Substring, day: Substring) -> Int? {
        guard let year = Int(year), let month = Int(month), (1...12).contains(month),
            let day = Int(day), (1...length(ofMonth: month, in: year)).contains(day)
        else { return nil }
        let years = (month > 2 ? year : year - 1) + 400
        let months = (month + 9) % 12
        let dayOfYear = (153 * months + 2) / 5 + day - 1
        return years * 365 + years / 4 - years / 100 + years / 400 + dayOfYear
            - (719_468 + 146_097)
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        switch month {
        case 2: return isLeap ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }
}
