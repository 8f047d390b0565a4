import CampaignCore
import FoundationEssentials

extension Document {
    /// The table that `hubsend schedule` prints, with the next occurrence first.
    init(schedules: [CampaignSchedule], at now: Date) {
        let upcoming = schedules.flatMap { schedule in
            schedule.upcoming.map { (schedule: schedule, date: $0) }
        }
        let hasLaterStarts = schedules.contains {
            $0.sentEarly == nil && $0.schedule.next(after: now) != nil
        }
        guard !schedules.isEmpty, !(upcoming.isEmpty && hasLaterStarts) else {
            self.init(blocks: [
                .paragraph(
                    schedules.isEmpty
                        ? "No campaign has a schedule." : "No campaign starts before that time.")
            ])
            return
        }
        var table = Table(
            columns: [
                .init(head: "CAMPAIGN", text: .left.cut(to: 14)), .init(head: "LOCAL TIME"),
                .init(head: "ZONE", text: .left.leftOut(1)),
                .init(head: "UTC", text: .left.leftOut(0)), .init(head: "IN", text: .right),
            ], isList: true)
        func append(_ schedule: CampaignSchedule, _ date: Date, _ words: String) {
            table.append(words: [
                schedule.campaign, schedule.readable(date), schedule.schedule.zone.name,
                UTCTime.readable(date), words,
            ])
        }
        for (schedule, date) in upcoming.sorted(by: { $0.date < $1.date }) {
            append(schedule, date, Figures.duration(from: now, to: date))
        }
        for schedule in schedules where schedule.upcoming.isEmpty {
            if let next = schedule.schedule.next(after: now) {
                if let words = schedule.earlySending { append(schedule, next, words) }
            } else if let over = schedule.schedule.last(after: .distantPast, through: now) {
                append(schedule, over, "over")
            }
        }
        let notes = schedules.compactMap { $0.note.map { Block.paragraph(Phrase($0)) } }
        self.init(blocks: [.group([.table(table)] + notes)])
    }
}

extension CampaignSchedule {
    /// A note about the next start that does not fit on its line.
    fileprivate var note: String? {
        guard case .cron = schedule.times, let next = upcoming.first else { return nil }
        let start = readable(next)
        if let earlySending {
            return "\(campaign) was \(earlySending); it will also start on \(start)."
        }
        guard isFirst else { return nil }
        return "\(campaign) first starts on \(start); earlier starts are skipped."
    }
}
