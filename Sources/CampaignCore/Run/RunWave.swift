/// The recipients of a run who are sent to from the same instant on.
///
/// They are staged together, in name order, so that they are a range of numbers. A run of which everybody's turn is at once has
/// no waves.
package struct RunWave: Hashable, Sendable {
    /// Its place in the run, from 1, by when it begins.
    package let number: Int
    /// Never empty.
    package let recipients: ClosedRange<Int>
    /// When they may be sent to; it was settled when the run was staged.
    package let turn: Turn
    /// The time zones of the people in it, in order.
    package let zones: [String]

    package init(number: Int, recipients: ClosedRange<Int>, turn: Turn, zones: [String]) {
        self.number = number
        self.recipients = recipients
        self.turn = turn
        self.zones = zones
    }
}

/// What became of a wave so far.
package struct WaveStanding: Hashable, Sendable {
    package let wave: RunWave
    /// Over all platforms; what has no outcome counts as `not_attempted`.
    package let outcomes: OutcomeCounts

    package init(wave: RunWave, outcomes: OutcomeCounts) {
        self.wave = wave
        self.outcomes = outcomes
    }

    /// Waves as people read them: those that begin at the same instant are one, whenever their next quiet hours come.
    ///
    /// - Parameter standings: those of a run, in order.
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

/// How many recipients have a time zone.
package struct ZoneCount: Hashable, Sendable {
    /// nil: none is known of them.
    package let zone: String?
    package let recipients: Int

    package init(zone: String?, recipients: Int) {
        self.zone = zone
        self.recipients = recipients
    }
}
