import CampaignCore
import FoundationEssentials
import YAMLSyntax

struct ScheduledStart: Sendable {
    let place: SourceRange
    /// How late a missed start is still made up for.
    let deadline: Duration
    let date: Date

    /// nil if the campaign recurs.
    init?(_ section: ScheduleSection) {
        guard let place = section.moment, let schedule = section.schedule,
            let date = schedule.next(after: .distantPast)
        else { return nil }
        self.place = place
        self.date = date
        deadline = schedule.startDeadline
    }

    func isOver(at now: Date) -> Bool { now.timeIntervalSince(date) > deadline / .seconds(1) }
}
