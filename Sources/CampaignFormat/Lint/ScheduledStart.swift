import CampaignCore
import FoundationEssentials
import YAMLSyntax

/// The one moment at which a campaign is to start, as `schedule.at` says it.
struct ScheduledStart: Sendable {
    /// Where it stands.
    let place: SourceRange
    /// How long a missed start is made up for.
    let deadline: Duration
    /// The moment.
    let date: Date

    /// nil where the campaign comes again and again.
    init?(_ section: ScheduleSection) {
        guard let place = section.moment, let schedule = section.schedule,
            let date = schedule.next(after: .distantPast)
        else { return nil }
        self.place = place
        self.date = date
        deadline = schedule.startDeadline
    }

    /// Whether it is over, so that the campaign does not start any more.
    func isOver(at now: Date) -> Bool { now.timeIntervalSince(date) > deadline / .seconds(1) }
}
