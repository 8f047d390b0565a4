/// A repeating time in the five fields of crontab(5), as Debian's cron reads them.
///
/// If both the day of the month and the weekday are limited, a day matches if either matches. A
/// field that begins with `*` is not considered limited.
package struct CronSchedule: Hashable, Sendable {
    package let text: String
    /// The matching values, one bit for each.
    private let minutes: UInt64
    private let hours: UInt64
    private let days: UInt64
    private let months: UInt64
    private let weekdays: UInt64
    /// Whether a match of the day of the month or of the weekday is enough.
    private let takesEitherDay: Bool

    private static let lines = [
        "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
        "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
        "@hourly": "0 * * * *",
    ]
    package static let words = lines.keys.sorted()

    /// Reads an expression; throws all errors of its fields.
    package init(_ text: String) throws(CronErrors) {
        let parts = text.split { $0 == " " || $0 == "\t" }.map(String.init)
        var line = parts
        if let word = parts.first, word.hasPrefix("@"), parts.count == 1 {
            guard let known = Self.lines[word.lowercased()] else {
                throw CronErrors([.unknownWord(word)])
            }
            line = known.split(separator: " ").map(String.init)
        }
        guard line.count == CronField.allCases.count else {
            throw CronErrors([.fieldCount(line.count)])
        }
        var values: [UInt64] = []
        var errors: [CronError] = []
        for (field, part) in zip(CronField.allCases, line) {
            do throws(CronError) {
                values.append(try field.values(of: part))
            } catch {
                errors.append(error)
            }
        }
        guard errors.isEmpty else { throw CronErrors(errors) }
        self.text = text
        minutes = values[0]
        hours = values[1]
        days = values[2]
        months = values[3]
        // Sunday is 0 and 7.
        weekdays = (values[4] | values[4] >> 7) & 0x7f
        takesEitherDay = !line[2].hasPrefix("*") && !line[4].hasPrefix("*")
        guard comes else { throw CronErrors([.never]) }
    }

    package var minutesOfHour: Int { minutes.nonzeroBitCount }

    package var timesOfDay: Int { minutes.nonzeroBitCount * hours.nonzeroBitCount }

    /// The matching minutes of a week, from Sunday 00:00; nil if they depend on the date.
    package var minutesOfWeek: Set<Int>? {
        guard days.nonzeroBitCount == CronField.day.bounds.count, !takesEitherDay,
            months.nonzeroBitCount == CronField.month.bounds.count
        else { return nil }
        let times = (0...23).filter(hours.has).flatMap { hour in
            (0...59).filter(minutes.has).map { hour * 60 + $0 }
        }
        return Set((0...6).filter(weekdays.has).flatMap { day in times.map { day * 1_440 + $0 } })
    }

    /// Whether the schedule ever matches; `0 0 30 2 *` does not.
    private var comes: Bool {
        // The weekday does not matter, because every date, even the 29th of February, eventually
        // falls on each weekday.
        takesEitherDay
            || (1...12).contains { month in
                // The length of a month in a leap year.
                let length = CalendarDay.length(ofMonth: month, in: 2000)
                return months.has(month) && (1...length).contains { days.has($0) }
            }
    }

    /// The first match at or after a time; nil if nothing matches within 400 years.
    package func next(from local: LocalTime) -> LocalTime? {
        let start = local.wholeMinute
        let today = start.day
        if isDay(today), let minute = minute(from: start.minuteOfDay) {
            return LocalTime(today, minute: minute)
        }
        guard let day = nextDay(after: today), let minute = minute(from: 0) else { return nil }
        return LocalTime(day, minute: minute)
    }

    /// The next matching minute of a day, counted from midnight.
    private func minute(from minute: Int) -> Int? {
        let hour = minute / 60
        if hours.has(hour), let next = minutes.first(from: minute % 60) { return hour * 60 + next }
        guard let hour = hours.first(from: hour + 1), let first = minutes.first(from: 0) else {
            return nil
        }
        return hour * 60 + first
    }

    private func isDay(_ day: CalendarDay) -> Bool {
        guard months.has(day.month) else { return false }
        return isDay(day.day, weekday: day.weekday)
    }

    private func isDay(_ day: Int, weekday: Int) -> Bool {
        let (isDate, isWeekday) = (days.has(day), weekdays.has(weekday))
        return takesEitherDay ? isDate || isWeekday : isDate && isWeekday
    }

    private func nextDay(after today: CalendarDay) -> CalendarDay? {
        var (year, month, after) = (today.year, today.month, today.day)
        while year <= today.year + 400 {
            if months.has(month), let first = CalendarDay(year: year, month: month, day: 1) {
                let lead = first.weekday - 1
                let length = CalendarDay.length(ofMonth: month, in: year)
                if after < length,
                    let day = (after + 1...length).first(where: {
                        isDay($0, weekday: (lead + $0) % 7)
                    })
                {
                    return CalendarDay(year: year, month: month, day: day)
                }
            }
            after = 0
            (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
        }
        return nil
    }
}

package enum CronField: String, CaseIterable, Hashable, Sendable {
    case minute
    case hour
    case day = "day of the month"
    case month
    case weekday

    package var bounds: ClosedRange<Int> {
        switch self {
        case .minute: 0...59
        case .hour: 0...23
        case .day: 1...31
        case .month: 1...12
        case .weekday: 0...7
        }
    }

    /// Returns the matching values, one bit for each.
    fileprivate func values(of text: String) throws(CronError) -> UInt64 {
        var values: UInt64 = 0
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = item.split(separator: "/", omittingEmptySubsequences: false)
            let step = parts.count == 2 ? Self.number(parts[1]) : 1
            guard (1...2).contains(parts.count), let step, step > 0 else {
                throw .notAValue(self, text)
            }
            let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
            let range: ClosedRange<Int>
            if parts[0] == "*" {
                range = bounds
            } else if ends.count == 1, let value = value(ends[0]) {
                // Cron implementations interpret 5/10 differently, so it is refused.
                guard parts.count == 1 else { throw .stepWithoutRange(self, String(item), value) }
                range = value...value
            } else if ends.count == 2, let first = value(ends[0]), let last = value(ends[1]) {
                guard first <= last else { throw .backwards(self, String(item)) }
                range = first...last
            } else {
                throw .notAValue(self, text)
            }
            for value in stride(from: range.lowerBound, through: range.upperBound, by: step) {
                values |= 1 << UInt64(value)
            }
        }
        return values
    }

    private func value(_ text: Substring) -> Int? {
        let isWord = { (name: String) in name.lowercased() == text.lowercased() }
        switch self {
        case .month:
            if let index = CalendarDay.shortMonths.firstIndex(where: isWord) { return index + 1 }
        case .weekday:
            if let index = CalendarDay.shortWeekdays.firstIndex(where: isWord) { return index }
        case .minute, .hour, .day:
            break
        }
        return Self.number(text).flatMap { bounds.contains($0) ? $0 : nil }
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...4).contains(text.utf8.count),
            text.utf8.allSatisfy(\.isDigit)
        else { return nil }
        return Int(text)
    }
}

package struct CronErrors: Error, Hashable, Sendable {
    package let errors: [CronError]

    fileprivate init(_ errors: [CronError]) {
        self.errors = errors
    }
}

package enum CronError: Error, Hashable, Sendable {
    case fieldCount(Int)
    case unknownWord(String)
    /// The text is neither a value of the field nor a list, range or step of values.
    case notAValue(CronField, String)
    /// A range whose end is before its start.
    case backwards(CronField, String)
    case stepWithoutRange(CronField, String, Int)
    /// No year has a day that matches the fields.
    case never
}

extension UInt64 {
    fileprivate func has(_ value: Int) -> Bool { self >> UInt64(value) & 1 == 1 }

    /// The first set bit at or after `value`, from 0 to 63.
    fileprivate func first(from value: Int) -> Int? {
        let rest = self >> UInt64(value)
        return rest == 0 ? nil : value + rest.trailingZeroBitCount
    }
}
