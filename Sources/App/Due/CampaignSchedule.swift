import CampaignCore
import FoundationEssentials

struct CampaignSchedule: Sendable {
    let campaign: String
    let path: String
    let schedule: Schedule
    /// The next starts in order, up to the requested number.
    let upcoming: [Date]
    /// Whether the list was cut at the requested number.
    var isCut = false
    /// The time at which somebody sent the campaign ahead of its next start, if anybody did.
    var sentEarly: Date?
    /// Whether the campaign has never been sent, so that earlier starts are skipped.
    var isFirst = false

    /// Returns a time such as `Tue 1 Dec 09:00 (Berlin)`, with the year unless it is the current
    /// one.
    static func words(_ date: Date, of schedule: Schedule, now: Date) -> String {
        let zone = schedule.zone
        let local = zone.local(at: Int(date.timeIntervalSince1970.rounded(.down)))
        let place = zone.name.split(separator: "/").last.map {
            String($0).replacing("_", with: " ")
        }
        let (hour, minute) = (local.minuteOfDay / 60, local.minuteOfDay % 60)
        let time = [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        let thisYear = zone.local(at: Int(now.timeIntervalSince1970.rounded(.down))).day.year
        let (day, weekday) = (local.day, CalendarDay.shortWeekdays[local.day.weekday])
        let year = day.year == thisYear ? "" : " \(day.year)"
        return
            "\(weekday) \(day.day) \(CalendarDay.shortMonths[day.month - 1])\(year) \(time) (\(place ?? zone.name))"
    }

    /// Returns a phrase such as `sent early, on 2026-11-27`, with the date in the schedule's time
    /// zone.
    var earlySending: String? {
        sentEarly.map { "sent early, on \(local($0).time.prefix(10))" }
    }

    /// Returns a time in the schedule's time zone, such as `Mon 2026-11-30 09:00 +01:00`.
    func readable(_ date: Date) -> String {
        let local = local(date)
        let day = LocalTime(local.time)?.day.weekday
        let time = local.time.replacing("T", with: " ").prefix(16)
        return "\(day.map { CalendarDay.shortWeekdays[$0] } ?? "") \(time) \(local.offset)"
    }

    /// The time and the offset in the schedule's zone, such as `2026-11-30T09:00:00` and `+01:00`.
    func local(_ date: Date) -> (time: String, offset: String) {
        let offset = schedule.zone.offset(at: Int(date.timeIntervalSince1970.rounded(.down)))
        let minutes = abs(offset) / 60
        let parts = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return (
            String(UTCTime.text(date.addingTimeInterval(Double(offset))).dropLast()),
            "\(offset < 0 ? "-" : "+")\(parts[0]):\(parts[1])"
        )
    }
}
