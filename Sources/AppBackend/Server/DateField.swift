import CampaignCore
import FoundationEssentials
import Synchronization

/// The `Date` field of responses (RFC 9110, section 6.6.1), formatted at most once per second.
final class DateField: Sendable {
    private let last = Mutex((second: 0, text: ""))

    var now: String {
        let second = Int(Date().timeIntervalSince1970)
        return last.withLock { last in
            if last.second != second { last = (second, Self.text(second)) }
            return last.text
        }
    }

    /// The value, such as `Tue, 01 Dec 2026 09:00:00 GMT`.
    static func text(_ second: Int) -> String {
        let day = CalendarDay(number: second.dividedDown(by: 86_400).quotient)
        let time = UTCTime.text(Date(timeIntervalSince1970: Double(second)))
        return "\(CalendarDay.shortWeekdays[day.weekday]), \(time.dropFirst(8).prefix(2)) "
            + "\(CalendarDay.shortMonths[day.month - 1]) \(time.prefix(4)) "
            + "\(time.dropFirst(11).prefix(8)) GMT"
    }
}
