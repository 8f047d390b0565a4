package import CampaignCore
package import FoundationEssentials

package struct CampaignSchedule: Sendable {
    package let campaign: String
    package let path: String
    package let schedule: Schedule
    /// In order, as many as asked for.
    package let coming: [Date]
    /// Whether more were asked for than are listed.
    package let isCut: Bool
    /// When it was sent by hand before its next start.
    package let sentEarly: Date?
    /// Whether no start was sent yet; earlier ones are not made up for.
    package let isFirst: Bool

    package init(
        campaign: String, path: String, schedule: Schedule, coming: [Date], isCut: Bool = false,
        sentEarly: Date? = nil, isFirst: Bool = false
    ) {
        self.campaign = campaign
        self.path = path
        self.schedule = schedule
        self.coming = coming
        self.isCut = isCut
        self.sentEarly = sentEarly
        self.isFirst = isFirst
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Such as `Tue 1 Dec 09:00 (Berlin)`, with the year unless it is the current one.
    package static func words(_ date: Date, of schedule: Schedule, now: Date) -> String {
        let zone = schedule.zone
        let local = zone.local(at: Int(date.timeIntervalSince1970.rounded(.down)))
        let place = zone.name.split(separator: "/").last.map {
            String($0).replacing("_", with: " ")
        }
        let (hour, minute) = (local.minuteOfDay / 60, local.minuteOfDay % 60)
        let time = [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        let day = "\(weekdays[local.day.weekday]) \(day(date, of: schedule, seenFrom: now))"
        return "\(day) \(time) (\(place ?? zone.name))"
    }

    /// Such as `27 Nov`, with the year if it differs from the other date's.
    private static func day(
        _ date: Date, of schedule: Schedule, seenFrom other: Date
    ) -> String {
        let days = [date, other].map {
            schedule.zone.local(at: Int($0.timeIntervalSince1970.rounded(.down))).day
        }
        let year = days[0].year == days[1].year ? "" : " \(days[0].year)"
        return "\(days[0].day) \(months[days[0].month - 1])\(year)"
    }

    /// Such as `sent early, on 27 Nov`.
    package func earlySending(seenFrom now: Date) -> String? {
        sentEarly.map { "sent early, on \(Self.day($0, of: schedule, seenFrom: now))" }
    }

    /// In its zone, such as `Mon 2026-11-30 09:00 +01:00`.
    package func readable(_ date: Date) -> String {
        let local = local(date)
        let day = LocalTime(local.time)?.day.weekday
        let time = local.time.replacing("T", with: " ").prefix(16)
        return "\(day.map { Self.weekdays[$0] } ?? "") \(time) \(local.offset)"
    }

    /// In its zone: `2026-11-30T09:00:00` and `+01:00`.
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
