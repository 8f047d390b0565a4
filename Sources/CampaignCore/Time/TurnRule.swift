/// When within a day people may be sent to, each by the clocks of their own zone: `schedule.quiet_hours` and
/// `delivery.local_time` (contract, section 13).
///
/// Instants are seconds since 1970-01-01T00:00:00Z.
package struct TurnRule: Hashable, Sendable {
    /// nil: none.
    package let quietHours: QuietHours?
    /// The minute of the day from which on everybody is sent to, 0 to 1,439; nil: at once.
    package let localTime: Int?
    /// The zone of those of whom none is known.
    package let zone: TimeZoneRules

    package init(quietHours: QuietHours?, localTime: Int?, zone: TimeZoneRules) {
        self.quietHours = quietHours
        self.localTime = localTime
        self.zone = zone
    }

    /// When it is the turn of people in a zone.
    ///
    /// - Parameters:
    ///   - zone: whose clocks count.
    ///   - start: when the run starts.
    ///   - end: when it ends at the latest, after `start`.
    ///   - taken: turns of earlier runs of the campaign in that zone, on whose days `localTime` does not come again.
    package func turn(
        in zone: TimeZoneRules, from start: Int, through end: Int, besides taken: [Int] = []
    ) -> Turn {
        let opening = opening(in: zone, from: start, besides: taken)
        guard let quietHours else { return Turn(windows: [Turn.Window(opens: opening)]) }
        var windows: [Turn.Window] = []
        var opens = opening
        // Each round goes on by a day, so that the first window comes after two at the latest.
        var day = zone.local(at: opening).day.number - 1
        while windows.isEmpty || opens < end {
            let quiet = quietHours.instants(on: CalendarDay(number: day), in: zone)
            if opens < quiet.lowerBound {
                windows.append(Turn.Window(opens: opens, closes: quiet.lowerBound))
            }
            opens = max(opens, quiet.upperBound)
            day += 1
        }
        return Turn(windows: windows)
    }

    /// The first instant from `start` on that `localTime` allows.
    private func opening(in zone: TimeZoneRules, from start: Int, besides taken: [Int]) -> Int {
        guard let localTime else { return start }
        let days = Set(taken.map { zone.local(at: $0).day })
        var day = zone.local(at: start).day.number - 1
        while true {
            let date = CalendarDay(number: day)
            let instant = zone.instant(of: LocalTime(date, minute: localTime))
            if instant >= start, !days.contains(date) { return instant }
            day += 1
        }
    }
}

/// Hours of the day in which nobody is sent anything.
package struct QuietHours: Hashable, Sendable {
    /// The minute of the day at which they begin, 0 to 1,439.
    package let from: Int
    /// The minute at which they are over, on the next day where that is not later; never ``from``.
    package let to: Int

    package init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }

    /// Those that begin on a day.
    ///
    /// Of a time that clocks show twice the first counts for the beginning, and the second for the end.
    fileprivate func instants(on day: CalendarDay, in zone: TimeZoneRules) -> Range<Int> {
        let end = LocalTime(
            from < to ? day : CalendarDay(number: day.number + 1), minute: to)
        let begins = zone.instant(of: LocalTime(day, minute: from))
        return begins..<max(begins, zone.instants(of: end).last ?? zone.instant(of: end))
    }
}

/// The times at which some people may be sent to.
package struct Turn: Hashable, Sendable, Codable {
    /// From an instant on, up to another one.
    package struct Window: Hashable, Sendable, Codable {
        package let opens: Int
        /// The first instant at which nobody may be sent to any more; nil: it stays open.
        package let closes: Int?

        package init(opens: Int, closes: Int? = nil) {
            self.opens = opens
            self.closes = closes
        }

        package func contains(_ instant: Int) -> Bool {
            opens <= instant && closes.map { instant < $0 } ?? true
        }
    }

    /// In order, never empty; up to the end of the run, but the first also where it comes after that.
    package let windows: [Window]

    package init(windows: [Window]) {
        self.windows = windows
    }

    /// When it begins.
    package var opens: Int { windows.first?.opens ?? 0 }

    /// Whether people may be sent to.
    package func isOpen(at instant: Int) -> Bool {
        windows.contains { $0.contains(instant) }
    }

    /// When it opens after an instant; nil: not any more.
    package func opening(after instant: Int) -> Int? {
        windows.first { $0.opens > instant }?.opens
    }

    /// When it closes; nil: it is not open, or stays so.
    package func closing(after instant: Int) -> Int? {
        windows.first { $0.contains(instant) }?.closes
    }
}
