/// Recipients whose turn begins at the same instant.
///
/// They are staged together by name, so they are a range of numbers. A run without different turns
/// has no waves.
package struct RunWave: Hashable, Sendable {
    /// From 1, by start.
    package let number: Int
    package let recipients: ClosedRange<Int>
    /// Settled at staging.
    package let turn: Turn
    /// In order.
    package let zones: [String]

    package init(number: Int, recipients: ClosedRange<Int>, turn: Turn, zones: [String]) {
        self.number = number
        self.recipients = recipients
        self.turn = turn
        self.zones = zones
    }
}

package struct WaveStanding: Hashable, Sendable {
    package let wave: RunWave
    /// Over all platforms; deliveries without an outcome count as `not_attempted`.
    package let outcomes: OutcomeCounts

    package init(wave: RunWave, outcomes: OutcomeCounts) {
        self.wave = wave
        self.outcomes = outcomes
    }

    /// Joins waves that begin at the same instant, whenever their next quiet hours come.
    package static func joined(_ standings: [WaveStanding]) -> [WaveStanding] {
        standings.reduce(into: []) { joined, standing in
            guard let last = joined.last, last.wave.turn.opens == standing.wave.turn.opens else {
                return joined.append(standing)
            }
            let first = last.wave.recipients.lowerBound
            var outcomes = last.outcomes
            outcomes.add(standing.outcomes)
            joined[joined.count - 1] = WaveStanding(
                wave: RunWave(
                    number: last.wave.number,
                    recipients: first...max(first, standing.wave.recipients.upperBound),
                    turn: last.wave.turn,
                    zones: Set(last.wave.zones + standing.wave.zones).sorted()),
                outcomes: outcomes)
        }
    }
}

package struct ZoneCount: Hashable, Sendable {
    /// nil: not known.
    package let zone: String?
    package let recipients: Int

    package init(zone: String?, recipients: Int) {
        self.zone = zone
        self.recipients = recipients
    }
}
