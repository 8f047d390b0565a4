#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// When a campaign is sent: the `schedule` key.
package struct Schedule: Hashable, Sendable, CustomStringConvertible {
    /// The times, in the local time of the zone.
    package enum Times: Hashable, Sendable {
        case cron(CronSchedule)
        case at(LocalTime)
    }

    package static let standardDeadline = Duration.seconds(60 * 60)

    package let times: Times
    package let zone: TimeZoneRules
    /// A missed start is skipped if it is later than this.
    package let startDeadline: Duration

    package init(
        _ times: Times, in zone: TimeZoneRules, startDeadline: Duration = Self.standardDeadline
    ) {
        self.times = times
        self.zone = zone
        self.startDeadline = startDeadline
    }

    /// The earliest start, inclusive, that can still be caught up.
    private func earliest(at now: Date) -> Date {
        let limit = now.addingTimeInterval(-(startDeadline / .seconds(1)))
        return Date(timeIntervalSince1970: limit.timeIntervalSince1970.rounded(.up))
    }

    /// The newest missed occurrence that may still start.
    ///
    /// - Parameter sight: when the schedule was first seen; earlier starts are not caught up.
    package func due(at now: Date, knownSince sight: Date) -> Date? {
        let known = Date(timeIntervalSince1970: sight.timeIntervalSince1970.rounded(.up))
        // One second is subtracted, because the search excludes its start.
        return last(after: max(earliest(at: now), known).addingTimeInterval(-1), through: now)
    }

    package func next(after date: Date) -> Date? {
        next(after: Self.seconds(date)).map { Date(timeIntervalSince1970: Double($0)) }
    }

    package func last(after start: Date, through end: Date) -> Date? {
        var (low, high) = (Self.seconds(start), Self.seconds(end))
        guard var last = next(after: low), last <= high else { return nil }
        // Invariant: `last` comes after `low`, and no occurrence comes after `high`.
        low = last
        while low < high {
            let middle = low + (high - low) / 2
            if let later = next(after: middle), later <= Self.seconds(end) {
                last = later
                low = later
            } else {
                high = middle
            }
        }
        return Date(timeIntervalSince1970: Double(last))
    }

    /// Text that identifies the schedule.
    package var description: String {
        switch times {
        case .cron(let cron): "\(cron.text) \(zone.name)"
        case .at(let moment): "\(moment) \(zone.name)"
        }
    }

    private func next(after instant: Int) -> Int? {
        switch times {
        case .at(let local):
            let only = zone.instant(of: local)
            return only > instant ? only : nil
        case .cron(let cron):
            var local = zone.local(at: instant)
            // A time that clocks show twice is used once, and a skipped time is moved to the end of
            // the gap.
            while let found = cron.next(from: local) {
                let next = zone.instant(of: found)
                if next > instant { return next }
                local = LocalTime(seconds: found.seconds + 60)
            }
            return nil
        }
    }

    /// Returns whole seconds, limited to the years 0 to 9999.
    private static func seconds(_ date: Date) -> Int {
        Int(max(-62_167_219_200, min(date.timeIntervalSince1970.rounded(.down), 253_402_300_799)))
    }
}

extension Occurrence {
    package static func scheduled(_ date: Date) -> Occurrence {
        Occurrence(checked: UTCTime.text(date))
    }

    /// The time of a ``scheduled(_:)`` occurrence; nil for others.
    package var scheduled: Date? {
        guard text.hasSuffix("Z"), let time = LocalTime(String(text.dropLast())) else { return nil }
        let date = Date(timeIntervalSince1970: Double(time.seconds))
        return UTCTime.text(date) == text ? date : nil
    }
}

extension Campaign {
    /// The default occurrence: the time of `at`, otherwise `once`.
    package var ownOccurrence: Occurrence {
        guard let schedule, case .at = schedule.times,
            let moment = schedule.next(after: .distantPast)
        else { return .once }
        return .scheduled(moment)
    }
}
