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
