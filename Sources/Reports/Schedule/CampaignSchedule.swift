package import CampaignCore
package import FoundationEssentials

/// When a campaign is sent, for people and programs that ask.
package struct CampaignSchedule: Sendable {
    package let campaign: String
    /// Its file, as it was named or found.
    package let path: String
    package let schedule: Schedule
    /// The occurrences to come, in order, as far as they were asked for.
    package let coming: [Date]
    /// Whether more were asked for than are listed.
    package let isCut: Bool

    package init(
        campaign: String, path: String, schedule: Schedule, coming: [Date], isCut: Bool = false
    ) {
        self.campaign = campaign
        self.path = path
        self.schedule = schedule
        self.coming = coming
        self.isCut = isCut
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// An occurrence as the clocks of its zone show it: `Mon 2026-11-30 09:00 +01:00`.
    package func readable(_ date: Date) -> String {
        let local = local(date)
        let day = LocalTime(local.time)?.day.weekday
        let time = local.time.replacing("T", with: " ").prefix(16)
        return "\(day.map { Self.weekdays[$0] } ?? "") \(time) \(local.offset)"
    }

    /// What the clocks of its zone show: `2026-11-30T09:00:00`, and how far they are ahead of UTC: `+01:00`.
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
