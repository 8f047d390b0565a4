import CampaignCore
import CampaignFormat
package import Foundation

/// Up to when occurrences are listed.
package enum ScheduleEnd: Hashable, Sendable {
    /// So long from now.
    case after(Duration)
    /// At a moment.
    case at(Date)

    /// Reads `7d`, `2026-12-01` (to the end of that day in UTC) or a time of RFC 3339; nil for anything else.
    package init?(_ text: String) {
        if let duration = DurationText.parse(text) {
            self = .after(duration)
        } else if let day = LocalTime(text + "T23:59:59") {
            self = .at(Date(timeIntervalSince1970: Double(day.seconds)))
        } else {
            do {
                self = .at(try Date(text, strategy: .iso8601))
            } catch {
                return nil
            }
        }
    }

    /// The moment.
    package func date(from now: Date) -> Date {
        switch self {
        case .after(let duration): now.addingTimeInterval(duration / .seconds(1))
        case .at(let date): date
        }
    }
}
