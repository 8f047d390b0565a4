import CampaignCore
import FoundationEssentials

struct ScheduledStart: Sendable {
    let place: SourceRange
    /// How late a missed start can be and still be sent.
    let deadline: Duration
    let date: Date

    init?(_ schedule: Schedule, at place: SourceRange) {
        guard let date = schedule.next(after: .distantPast) else { return nil }
        self.place = place
        self.date = date
        deadline = schedule.startDeadline
    }

    func isOver(at now: Date) -> Bool { now.timeIntervalSince(date) > deadline / .seconds(1) }
}
