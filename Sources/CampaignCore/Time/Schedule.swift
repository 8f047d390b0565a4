#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// When a campaign is sent: the `schedule` key.
package struct Schedule: Hashable, Sendable, CustomStringConvertible {
    /// The times, as the clocks of its zone show them.
    package enum Times: Hashable, Sendable {
        /// Again and again.
        case cron(CronSchedule)
        /// Once.
        case at(LocalTime)
    }

    /// How late a missed start may be, unless the file says otherwise.
    package static let standardDeadline = Duration.seconds(60 * 60)

    package let times: Times
    package let zone: TimeZoneRules
    /// A start that was missed by more is left out.
    package let startDeadline: Duration

    package init(
        _ times: Times, in zone: TimeZoneRules, startDeadline: Duration = Self.standardDeadline
    ) {
        self.times = times
        self.zone = zone
        self.startDeadline = startDeadline
    }

    /// Before this, an occurrence would be too late; what was missed by just the deadline is not.
    private func earliest(at now: Date) -> Date {
        let limit = now.addingTimeInterval(-(startDeadline / .seconds(1)))
        return Date(timeIntervalSince1970: limit.timeIntervalSince1970.rounded(.up))
    }

    /// The newest occurrence that was missed and may still begin; nil: no missed occurrence may.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - sight: since when the schedule is known; what was before is not made up for.
    package func due(at now: Date, knownSince sight: Date) -> Date? {
        let known = Date(timeIntervalSince1970: sight.timeIntervalSince1970.rounded(.up))
        // The second before, as those after an instant are asked for.
        return last(after: max(earliest(at: now), known).addingTimeInterval(-1), through: now)
    }

    /// The first occurrence after an instant; nil: no occurrence follows.
    package func next(after date: Date) -> Date? {
        next(after: Self.seconds(date)).map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// The last occurrence after one instant and up to another one; nil: no occurrence lies between them.
    package func last(after start: Date, through end: Date) -> Date? {
        var (low, high) = (Self.seconds(start), Self.seconds(end))
        guard var last = next(after: low), last <= high else { return nil }
        // An occurrence is known to come after `low`, and it is `last`; none comes after `high`.
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

    /// The times and their zone, which tell it from other schedules.
    package var description: String {
        switch times {
        case .cron(let cron): "\(cron.text) \(zone.name)"
        case .at(let moment): "\(moment) \(zone.name)"
        }
    }

    /// In seconds since 1970.
    private func next(after instant: Int) -> Int? {
        switch times {
        case .at(let local):
            let only = zone.instant(of: local)
            return only > instant ? only : nil
        case .cron(let cron):
            var local = zone.local(at: instant)
            // What clocks show for the second time was meant for the first, and what they skipped came at once.
            while let found = cron.next(from: local) {
                let next = zone.instant(of: found)
                if next > instant { return next }
                local = LocalTime(seconds: found.seconds + 60)
            }
            return nil
        }
    }

    /// Within the years that can be written down, 0 to 9999.
    private static func seconds(_ date: Date) -> Int {
        Int(max(-62_167_219_200, min(date.timeIntervalSince1970.rounded(.down), 253_402_300_799)))
    }
}

extension Occurrence {
    /// The one that is due at an instant of a schedule.
    package static func scheduled(_ date: Date) -> Occurrence {
        Occurrence(checked: UTCTime.text(date))
    }

    /// The instant, as ``scheduled(_:)`` writes it; nil for other sendings.
    package var scheduled: Date? {
        guard text.hasSuffix("Z"), let time = LocalTime(String(text.dropLast())) else { return nil }
        let date = Date(timeIntervalSince1970: Double(time.seconds))
        return UTCTime.text(date) == text ? date : nil
    }
}

extension Campaign {
    /// The sending that is meant where nothing names one: with `at` that moment's, else the one and only (contract, section 7).
    package var ownOccurrence: Occurrence {
        guard let schedule, case .at = schedule.times,
            let moment = schedule.next(after: .distantPast)
        else { return .once }
        return .scheduled(moment)
    }
}
