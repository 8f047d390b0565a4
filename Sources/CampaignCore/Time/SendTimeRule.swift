/// When people may be reached: `schedule.quiet_hours` and `delivery.local_time`.
///
/// Times are in each person's time zone. Instants are seconds since 1970-01-01T00:00:00Z.
package struct SendTimeRule: Hashable, Sendable {
    package let quietHours: QuietHours?
    /// The minute of the day when sending starts, 0 to 1,439; nil means immediately.
    package let localTime: Int?
    /// The zone of people whose own zone is not known.
    package let zone: TimeZoneRules

    package init(quietHours: QuietHours?, localTime: Int?, zone: TimeZoneRules) {
        self.quietHours = quietHours
        self.localTime = localTime
        self.zone = zone
    }

    /// The times when people in a zone may be reached.
    ///
    /// - Parameter taken: planned times of earlier runs in that zone; `localTime` is not used again
    ///   on these days.
    package func windows(
        in zone: TimeZoneRules, from start: Int, through end: Int, besides taken: [Int] = []
    ) -> SendWindows {
        let opening = opening(in: zone, from: start, besides: taken)
        guard let quietHours else {
            return SendWindows(windows: [SendWindows.Window(opens: opening)])
        }
        var windows: [SendWindows.Window] = []
        var opens = opening
        // Each round advances one day, so the first window comes within two days.
        var day = zone.local(at: opening).day.number - 1
        while windows.isEmpty || opens < end {
            let quiet = quietHours.instants(on: CalendarDay(number: day), in: zone)
            if opens < quiet.lowerBound {
                windows.append(SendWindows.Window(opens: opens, closes: quiet.lowerBound))
            }
            opens = max(opens, quiet.upperBound)
            day += 1
        }
        return SendWindows(windows: windows)
    }

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

package struct QuietHours: Hashable, Sendable {
    /// The minute of the day, 0 to 1,439.
    package let from: Int
    /// The minute of the day when the quiet hours end; on the next day if it is less than ``from``,
    /// to which it is never equal.
    package let to: Int

    package init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }

    /// The quiet hours that begin on a day.
    ///
    /// If clocks show a time twice, the first instant is used for the start and the second for the
    /// end.
    fileprivate func instants(on day: CalendarDay, in zone: TimeZoneRules) -> Range<Int> {
        let end = LocalTime(
            from < to ? day : CalendarDay(number: day.number + 1), minute: to)
        let begins = zone.instant(of: LocalTime(day, minute: from))
        return begins..<max(begins, zone.instants(of: end).last ?? zone.instant(of: end))
    }
}

/// The times when some people may be reached.
package struct SendWindows: Hashable, Sendable, Codable {
    package struct Window: Hashable, Sendable, Codable {
        package let opens: Int
        /// The end, which is excluded; nil if the window never closes.
        package let closes: Int?

        package init(opens: Int, closes: Int? = nil) {
            self.opens = opens
            self.closes = closes
        }

        package func contains(_ instant: Int) -> Bool {
            opens <= instant && closes.map { instant < $0 } ?? true
        }
    }

    /// The windows, which are sorted and never empty.
    ///
    /// The windows cover the time until the end of the run; the first window may begin later.
    package let windows: [Window]

    package init(windows: [Window]) {
        self.windows = windows
    }

    package var opens: Int { windows.first?.opens ?? 0 }

    package func isOpen(at instant: Int) -> Bool {
        windows.contains { $0.contains(instant) }
    }

    /// Returns nil if no window opens again.
    package func opening(after instant: Int) -> Int? {
        windows.first { $0.opens > instant }?.opens
    }

    /// Returns nil if no window is open, or if the window never closes.
    package func closing(after instant: Int) -> Int? {
        windows.first { $0.contains(instant) }?.closes
    }
}
