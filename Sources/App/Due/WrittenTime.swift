import CampaignCore
import CampaignFormat
import Foundation

/// A time as written on a command line, where days are days in UTC.
struct WrittenTime: Hashable, Sendable {
    /// Whether a duration or the name of a day refers to the past or the future.
    enum Direction: Sendable {
        case back
        case ahead
    }

    /// The instant or, for a day, its beginning.
    let start: Date
    /// The instant or, for a day, the beginning of the next day.
    let end: Date

    /// The instant or, for a day, its last second.
    var last: Date { start == end ? end : end - 1 }

    private static let secondsPerDay = 86_400

    /// Reads an instant such as `2026-12-01T09:00:00Z`, a date, a day such as `monday`, or a
    /// duration such as `7d`.
    ///
    /// - Parameter direction: the direction of a duration or a weekday; today's weekday means
    ///   today.
    init?(_ text: String, from now: Date, leading direction: Direction) {
        let today = Int((now.timeIntervalSince1970 / Double(Self.secondsPerDay)).rounded(.down))
        let isBack = direction == .back
        if let duration = DurationText.usual.parse(text) {
            self.init(instant: now + (isBack ? -1.0 : 1) * (duration / .seconds(1)))
        } else if let distance = Self.distance(to: text.lowercased(), from: today, isBack: isBack) {
            self.init(day: today + distance)
        } else {
            self.init(text)
        }
    }

    /// The number of days from today to a named day; nil for other words.
    private static func distance(to name: String, from today: Int, isBack: Bool) -> Int? {
        switch name {
        case "today": return 0
        case "yesterday": return -1
        case "tomorrow": return 1
        default:
            let match = CalendarDay.weekdayNames.map { $0.lowercased() }.firstIndex {
                $0 == name || $0.prefix(3) == name
            }
            guard let weekday = match else { return nil }
            let ahead = (weekday - CalendarDay(number: today).weekday + 7) % 7
            return isBack && ahead > 0 ? ahead - 7 : ahead
        }
    }

    private init(instant: Date) {
        (start, end) = (instant, instant)
    }

    private init(day: Int) {
        start = Date(timeIntervalSince1970: Double(day * Self.secondsPerDay))
        end = start + Double(Self.secondsPerDay)
    }

    /// Reads an RFC 3339 instant, which may have a fraction, or a date.
    init?(_ text: String) {
        guard let date = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})(.*)/)?.output,
            let year = Int(date.1), let month = Int(date.2), let dayOfMonth = Int(date.3),
            let day = CalendarDay(year: year, month: month, day: dayOfMonth)
        else { return nil }
        guard !date.4.isEmpty else {
            self.init(day: day.number)
            return
        }
        let midnight = day.number * Self.secondsPerDay
        let form =
            /[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})/
        // A leap second is written as second 60.
        guard let time = date.4.wholeMatch(of: form)?.output,
            let hours = Self.number(time.1, most: 23), let minutes = Self.number(time.2, most: 59),
            let seconds = Self.number(time.3, most: 60), let offset = Self.offset(time.5)
        else { return nil }
        let fraction = time.4.flatMap { Double("0" + $0) } ?? 0
        let whole = midnight + hours * 3_600 + minutes * 60 + seconds - offset
        self.init(instant: Date(timeIntervalSince1970: Double(whole) + fraction))
    }

    private static func number(_ digits: Substring, most: Int) -> Int? {
        Int(digits).flatMap { $0 <= most ? $0 : nil }
    }

    /// Reads a zone's offset from UTC, and returns it in seconds.
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
