import CampaignCore
import FoundationEssentials

/// The table of `hubsend schedule`, the next occurrence first.
struct ScheduleText: Sendable {
    private let schedules: [CampaignSchedule]
    private let now: Date
    private let style: TextStyle
    private let width: Int?

    /// - Parameter width: nil: nothing is cut or left out.
    init(
        _ schedules: [CampaignSchedule], at now: Date, style: TextStyle, width: Int? = nil
    ) {
        self.schedules = schedules
        self.now = now
        self.style = style
        self.width = width
    }

    func text() -> String {
        guard !schedules.isEmpty else { return "No campaign has a schedule.\n" }
        var table = TextTable([
            .left.cut(to: 14), .left, .left.leftOut(1), .left.leftOut(0), .right,
        ])
        table.append(["CAMPAIGN", "LOCAL TIME", "ZONE", "UTC", "IN"])
        let coming = schedules.flatMap { schedule in
            schedule.coming.map { (schedule: schedule, date: $0) }
        }
        if coming.isEmpty,
            schedules.contains(where: { $0.sentEarly == nil && $0.schedule.next(after: now) != nil }
            )
        {
            return "No campaign is sent until then.\n"
        }
        for (schedule, date) in coming.sorted(by: { $0.date < $1.date }) {
            table.append(
                Self.cells(schedule, date) + [Figures.duration(from: now, to: date)])
        }
        for schedule in schedules where schedule.coming.isEmpty {
            if let next = schedule.schedule.next(after: now) {
                guard let words = schedule.earlySending else { continue }
                table.append(Self.cells(schedule, next) + [words])
                continue
            }
            guard let over = schedule.schedule.last(after: .distantPast, through: now) else {
                continue
            }
            table.append(Self.cells(schedule, over) + ["over"])
        }
        var lines = table.lines(within: width)
        lines[0] = style.apply(.bold, to: lines[0])
        lines += schedules.compactMap(note)
        return lines.joined(separator: "\n") + "\n"
    }

    /// What the line of the next start does not say.
    private func note(on schedule: CampaignSchedule) -> String? {
        guard case .cron = schedule.schedule.times, let next = schedule.coming.first else {
            return nil
        }
        let start = schedule.readable(next)
        if let words = schedule.earlySending {
            return "\(schedule.campaign) was \(words); its start on \(start) stays."
        }
        guard schedule.isFirst else { return nil }
        return "\(schedule.campaign) starts first on \(start); earlier starts are not made up for."
    }

    private static func cells(_ schedule: CampaignSchedule, _ date: Date) -> [String] {
        [
            schedule.campaign, schedule.readable(date), schedule.schedule.zone.name,
            UTCTime.readable(date),
        ]
    }
}
