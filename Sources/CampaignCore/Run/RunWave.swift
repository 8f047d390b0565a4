/// Recipients whose pushes are sent at one planned time.
///
/// They are staged together, so their numbers form a range. A run that sends to everybody at the
/// same time has no waves.
package struct RunWave: Hashable, Sendable {
    /// The number of the wave, counted from 1 in order of start.
    package let number: Int
    package let recipients: ClosedRange<Int>
    /// The windows, which are fixed at staging.
    package let windows: SendWindows
    /// Sorted.
    package let zones: [String]

    package init(number: Int, recipients: ClosedRange<Int>, windows: SendWindows, zones: [String]) {
        self.number = number
        self.recipients = recipients
        self.windows = windows
        self.zones = zones
    }
}

package struct WaveOutcomes: Hashable, Sendable {
    package let wave: RunWave
    /// The outcomes on all platforms; deliveries without an outcome are counted as `not_attempted`.
    package let outcomes: OutcomeCounts

    package init(wave: RunWave, outcomes: OutcomeCounts) {
        self.wave = wave
        self.outcomes = outcomes
    }

    /// Joins waves that start at the same time, even if their next quiet hours differ.
    package static func joined(_ waveOutcomes: [WaveOutcomes]) -> [WaveOutcomes] {
        waveOutcomes.reduce(into: []) { joined, next in
            guard let last = joined.last, last.wave.windows.opens == next.wave.windows.opens else {
                return joined.append(next)
            }
            let first = last.wave.recipients.lowerBound
            var outcomes = last.outcomes
            outcomes.add(next.outcomes)
            joined[joined.count - 1] = WaveOutcomes(
                wave: RunWave(
                    number: last.wave.number,
                    recipients: first...max(first, next.wave.recipients.upperBound),
                    windows: last.wave.windows,
                    zones: Set(last.wave.zones + next.wave.zones).sorted()),
                outcomes: outcomes)
        }
    }
}

package struct ZoneCount: Hashable, Sendable {
    /// nil for people whose time zone is not known.
    package let zone: String?
    package let recipients: Int

    package init(zone: String?, recipients: Int) {
        self.zone = zone
        self.recipients = recipients
    }
}
