import ArgumentParser
import CampaignCore
import CampaignFormat
import Foundation

/// Up to when occurrences are listed.
enum ScheduleEnd: Hashable, Sendable {
    case after(Duration)
    case at(Date)

    /// Reads it from the command line: `7d`, `2026-12-01` with all of that day in UTC, or a time of RFC 3339.
    ///
    /// - Throws: `ValidationError` that says what it looks like.
    static func argument(_ text: String) throws -> ScheduleEnd {
        if let duration = DurationText.parse(text) { return .after(duration) }
        if let day = LocalTime(text + "T23:59:59") {
            return .at(Date(timeIntervalSince1970: Double(day.seconds)))
        }
        do {
            return .at(try Date(text, strategy: .iso8601))
        } catch {
            throw ValidationError(
                "\"\(text)\" is no time; write a duration from now such as 7d, a day such as 2026-12-01, "
                    + "or a time such as 2026-12-01T09:00:00Z.")
        }
    }

    func date(from now: Date) -> Date {
        switch self {
        case .after(let duration): now.addingTimeInterval(duration / .seconds(1))
        case .at(let date): date
        }
    }
}
