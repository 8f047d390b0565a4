#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A date and time of day without a time zone.
package struct LocalTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    private static let day = 86_400

    /// The number of seconds since 1970-01-01T00:00, as if in UTC.
    package let seconds: Int

    package init(seconds: Int) {
        self.seconds = seconds
    }

    /// Hours, minutes and seconds outside their range carry over to other days and hours.
    package init(_ day: CalendarDay, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        seconds = day.number * Self.day + hour * 3_600 + minute * 60 + second
    }

    /// Reads `2026-12-01T09:00`, with optional seconds.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let form = Array("0000-00-00T00:00:00".utf8)
        guard [16, 19].contains(bytes.count),
            zip(bytes, form).allSatisfy({ byte, expected in
                expected == UInt8(ascii: "0")
                    ? byte.isDigit : byte == expected
            })
        else { return nil }
        func number(_ place: Range<Int>) -> Int {
            bytes[place].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        let (hour, minute) = (number(11..<13), number(14..<16))
        let second = bytes.count == 19 ? number(17..<19) : 0
        guard
            let day = CalendarDay(
                year: number(0..<4), month: number(5..<7), day: number(8..<10)),
            hour < 24, minute < 60, second < 60
        else { return nil }
        self.init(day, hour: hour, minute: minute, second: second)
    }

    package var day: CalendarDay { CalendarDay(number: seconds.dividedDown(by: Self.day).quotient) }

    /// The minutes since midnight, 0 to 1,439.
    package var minuteOfDay: Int { seconds.dividedDown(by: Self.day).remainder / 60 }

    /// The time, rounded up to a whole minute.
    package var wholeMinute: LocalTime {
        LocalTime(seconds: (seconds + 59).dividedDown(by: 60).quotient * 60)
    }

    /// `2026-12-01T09:00:00`.
    package var description: String {
        String(UTCTime.text(Date(timeIntervalSince1970: Double(seconds))).dropLast())
    }

    package static func < (left: LocalTime, right: LocalTime) -> Bool {
        left.seconds < right.seconds
    }
}
