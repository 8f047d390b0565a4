import CampaignCore
import Foundation
import YAMLSyntax

/// The one moment at which a campaign is to start, as `schedule.at` says it.
struct ScheduledStart: Sendable {
    /// A start that was missed by more than this is skipped, where the campaign says nothing else.
    private static let standardDeadline = Duration.seconds(60 * 60)
    /// Where a day ends last; a zone that this system does not know is no farther west.
    private static let farthestWest = -12 * 60 * 60

    /// Where it stands.
    let place: SourceRange
    /// How long a missed start is made up for.
    let deadline: Duration
    /// The moment.
    let date: Date

    /// Reads it; nil where the campaign has none that is understood.
    init?(_ root: YAMLNode) {
        guard let place = root.entry(at: "schedule", "at")?.value,
            let minutes = place.scalarText.flatMap(TimeText.minutes)
        else { return nil }
        self.place = place.range
        deadline =
            root.entry(at: "schedule", "start_deadline")?.value.scalarText
            .flatMap(DurationText.parse) ?? Self.standardDeadline
        let zone = root.entry(at: "schedule", "time_zone")?.value.scalarText
            .flatMap { TimeZone(identifier: $0) }
        let local = Date(timeIntervalSince1970: Double(minutes * 60))
        // The offset is that of the moment itself, which is found with an offset that is almost right.
        func offset(at date: Date) -> Double {
            Double(zone?.secondsFromGMT(for: date) ?? Self.farthestWest)
        }
        date = local - offset(at: local - offset(at: local))
    }

    /// Whether it is over, so that the campaign does not start any more.
    func isOver(at now: Date) -> Bool { now.timeIntervalSince(date) > deadline / .seconds(1) }
}
