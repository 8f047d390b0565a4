/// How a time zone continues after the last change listed in its file.
///
/// The rule is read from the last line of a time zone file, which has the form of POSIX `TZ` with
/// the extensions of RFC 9636, section 3.3.1.
package struct ZoneRule: Hashable, Sendable {
    private enum Day: Hashable {
        /// A day of the year, 1 to 365, not counting the 29th of February.
        case withoutLeapDay(Int)
        /// A day of the year, 0 to 365, counting the 29th of February.
        case ofYear(Int)
        /// A weekday of a month: `week` is 1 to 5 (the last), and `weekday` is 0 (Sunday) to 6.
        case weekday(Int, week: Int, month: Int)

        func number(in year: Int) -> Int {
            let start = CalendarDay(number: Self.newYear(year)).number
            switch self {
            case .withoutLeapDay(let day):
                return start + day - 1 + (CalendarDay.isLeap(year) && day > 59 ? 1 : 0)
            case .ofYear(let day):
                return start + day
            case .weekday(let weekday, let week, let month):
                let length = CalendarDay.length(ofMonth: month, in: year)
                let first = (1..<month).reduce(start) {
                    $0 + CalendarDay.length(ofMonth: $1, in: year)
                }
                let lead = (weekday - CalendarDay(number: first).weekday).dividedDown(by: 7)
                    .remainder
                let day = lead + (week - 1) * 7
                return first + (day < length ? day : day - 7)
            }
        }

        private static func newYear(_ year: Int) -> Int {
            CalendarDay(year: year, month: 1, day: 1)?.number ?? 0
        }
    }

    /// A day and the seconds since midnight, by the clock before the change.
    private struct Moment: Hashable {
        let day: Day
        let seconds: Int

        func instant(in year: Int, offset: Int) -> Int {
            day.number(in: year) * 86_400 + seconds - offset
        }
    }

    private struct Summer: Hashable {
        let offset: Int
        let start: Moment
        let end: Moment
    }

    /// The offset of standard time, in seconds ahead of UTC.
    private let standard: Int
    private let summer: Summer?

    /// A rule without summer time; the offset is in seconds ahead of UTC.
    package init(offset: Int) {
        standard = offset
        summer = nil
    }

    /// Reads text such as `CET-1CEST,M3.5.0,M10.5.0/3`.
    package init?(_ text: String) {
        var reader = ZoneRuleReader(text)
        guard reader.skipName(), let west = reader.time() else { return nil }
        standard = -west
        guard !reader.isAtEnd else {
            summer = nil
            return
        }
        guard reader.skipName() else { return nil }
        var offset = standard + 3_600
        if reader.next != UInt8(ascii: ",") {
            guard let west = reader.time() else { return nil }
            offset = -west
        }
        guard let start = Self.moment(&reader), let end = Self.moment(&reader), reader.isAtEnd
        else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    package func changes(in year: Int) -> [TimeZoneRules.Change] {
        guard let summer else { return [] }
        let start = TimeZoneRules.Change(
            instant: summer.start.instant(in: year, offset: standard), offset: summer.offset)
        let end = TimeZoneRules.Change(
            instant: summer.end.instant(in: year, offset: summer.offset), offset: standard)
        return start.instant <= end.instant ? [start, end] : [end, start]
    }

    /// Returns the seconds ahead of UTC at an instant, which is in seconds since 1970.
    package func offset(at instant: Int) -> Int {
        guard summer != nil else { return standard }
        let year = LocalTime(seconds: instant + standard).day.year
        // A change may be a few days outside its rule's year. If summer time ends at the moment at
        // which it starts again, it continues.
        let past = (year - 1...year + 1).flatMap(changes).filter { $0.instant <= instant }
        let last = past.map(\.instant).max()
        let latest = past.filter { $0.instant == last }
        return latest.first { $0.offset != standard }?.offset ?? standard
    }

    private static func moment(_ reader: inout ZoneRuleReader) -> Moment? {
        guard reader.skip(","), let day = day(&reader) else { return nil }
        guard reader.skip("/") else { return Moment(day: day, seconds: 2 * 3_600) }
        return reader.time().map { Moment(day: day, seconds: $0) }
    }

    private static func day(_ reader: inout ZoneRuleReader) -> Day? {
        if reader.skip("J") {
            return reader.number(1...365).map { .withoutLeapDay($0) }
        }
        guard reader.skip("M") else { return reader.number(0...365).map { .ofYear($0) } }
        guard let month = reader.number(1...12), reader.skip("."),
            let week = reader.number(1...5), reader.skip("."),
            let weekday = reader.number(0...6)
        else { return nil }
        return .weekday(weekday, week: week, month: month)
    }
}

private struct ZoneRuleReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }
    var next: UInt8? { rest.first }

    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest.removeFirst()
        return true
    }

    /// Skips letters, or anything between `<` and `>`.
    mutating func skipName() -> Bool {
        if skip("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let name = rest.prefix { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & ~0x20)
        }
        rest = rest[name.endIndex...]
        return name.count >= 3
    }

    /// Reads a time such as `-10:30` and returns seconds; at most 167 hours.
    mutating func time() -> Int? {
        let sign = skip("-") ? -1 : 1
        if sign == 1 { _ = skip("+") }
        guard let hours = number(0...167) else { return nil }
        var seconds = hours * 3_600
        for unit in [60, 1] where skip(":") {
            guard let number = number(0...59) else { return nil }
            seconds += number * unit
        }
        return sign * seconds
    }

    mutating func number(_ bounds: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(while: \.isDigit)
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest[digits.endIndex...]
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return bounds.contains(number) ? number : nil
    }
}
