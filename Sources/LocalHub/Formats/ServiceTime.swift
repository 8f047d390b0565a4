import Foundation

enum ServiceTime {
    /// A time such as `2026-01-01T00:00:00Z`.
    static func seconds(_ time: Date) -> String {
        time.formatted(.iso8601)
    }

    /// A time such as `2026-01-01T00:00:00.000Z`.
    static func milliseconds(_ time: Date) -> String {
        time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// A time such as `2026-01-01T00:00:00.1234567Z`; `ticks` is the fraction in tenths of a
    /// microsecond, because a `Date` cannot store it exactly.
    static func sevenDigits(_ time: Date, ticks: Int? = nil) -> String {
        let since = time.timeIntervalSince1970
        let ticks = ticks ?? min(Int((since - since.rounded(.down)) * 10_000_000), 9_999_999)
        let whole = (since - Double(ticks) / 10_000_000).rounded()
        let digits = String(ticks)
        return seconds(Date(timeIntervalSince1970: whole)).dropLast() + "."
            + String(repeating: "0", count: 7 - digits.count) + digits + "Z"
    }
}

/// Reads dates in every form that clients send; a date without an offset is in UTC.
///
/// The forms are `2026-01-02T03:04:05`, optionally with a fraction, `Z` or an offset, with a space
/// or a quoted `'T'`, or without seconds; `01/02/2026 03:04:05`, optionally with `AM` or `PM`; and
/// a date without a time.
struct LenientDate {
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private var rest: Substring.UTF8View
    private var ticks = 0

    static func parse(_ text: String) -> Date? {
        parseExactly(text)?.date
    }

    /// The date, and its fraction of a second in tenths of a microsecond, because a `Date` cannot
    /// store it exactly.
    static func parseExactly(_ text: String) -> (date: Date, ticks: Int)? {
        guard text.utf8.count <= 64 else { return nil }
        var reader = LenientDate(rest: text[...].utf8)
        reader.skip(" ")
        guard let date = reader.date() else { return nil }
        reader.skip(" ")
        return reader.rest.isEmpty ? (date, reader.ticks) : nil
    }

    private mutating func date() -> Date? {
        guard let midnight = day() else { return nil }
        let hasTime = take("T") || take("t") || take("'T'") || take(" ")
        var seconds = 0.0
        if hasTime {
            skip(" ")
            guard let time = time() else { return nil }
            seconds = time
        }
        skip(" ")
        guard let offset = offset() else { return nil }
        return Date(
            timeIntervalSince1970: midnight.timeIntervalSince1970 + seconds - Double(offset))
    }

    private mutating func day() -> Date? {
        guard let (first, digits) = number(most: 4) else { return nil }
        let parts: DateComponents
        if digits == 4, take("-"), let (month, _) = number(most: 2), take("-"),
            let (day, _) = number(most: 2)
        {
            parts = DateComponents(year: first, month: month, day: day)
        } else if digits <= 2, take("/"), let (day, _) = number(most: 2), take("/"),
            case (let year, 4)? = number(most: 4)
        {
            parts = DateComponents(year: year, month: first, day: day)
        } else {
            return nil
        }
        // The calendar would interpret the year 0 as 1 BC.
        guard parts.year != 0, parts.isValidDate(in: Self.calendar) else { return nil }
        return Self.calendar.date(from: parts)
    }

    /// Reads a time, as seconds since midnight.
    private mutating func time() -> Double? {
        guard var (hour, _) = number(most: 2), take(":"), let (minute, _) = number(most: 2) else {
            return nil
        }
        var second = 0.0
        if take(":") {
            guard let (whole, _) = number(most: 2) else { return nil }
            second = Double(whole)
            if take(".") {
                guard let (fraction, digits) = number(most: 9) else { return nil }
                second += (0..<digits).reduce(Double(fraction)) { value, _ in value / 10 }
                let tenths = (digits..<9).reduce(fraction) { value, _ in value * 10 }
                ticks = tenths / 100
            }
        }
        let spaced = rest
        skip(" ")
        if let half = halfOfDay() {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + half
        } else {
            rest = spaced
        }
        guard hour < 24, minute < 60, second < 61 else { return nil }
        return Double(hour * 3_600 + minute * 60) + second
    }

    private mutating func halfOfDay() -> Int? {
        if take("AM") || take("am") { return 0 }
        return take("PM") || take("pm") ? 12 : nil
    }

    /// Reads an offset, as seconds east of Greenwich.
    private mutating func offset() -> Int? {
        if take("Z") || take("z") || rest.isEmpty { return 0 }
        let sign: Int
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard case (let hours, 2)? = number(most: 2) else { return nil }
        _ = take(":")
        let minutes = rest.isEmpty ? 0 : number(most: 2)?.value
        guard let minutes, hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private mutating func number(most: Int) -> (value: Int, digits: Int)? {
        let digits = rest.prefix(most).prefix(while: \.isDigit)
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        return (digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }, digits.count)
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let wanted = "\(text)".utf8
        guard rest.starts(with: wanted) else { return false }
        rest = rest.dropFirst(wanted.count)
        return true
    }

    private mutating func skip(_ text: StaticString) {
        while take(text) {}
    }
}
