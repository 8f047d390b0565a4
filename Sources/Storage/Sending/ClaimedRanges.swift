/// Which recipients of a run are or were `sending` on a platform, and which are not yet.
///
/// They are claimed in order: up to a number of the whole run, or, where it has waves, up to a number in each of them.
package struct ClaimedRanges: Hashable, Sendable {
    /// One for each wave, in order; one alone where there are none.
    package let cursors: [ClaimCursor]

    /// - Parameter cursors: one for each wave, in order; one alone where there are none.
    package init(_ cursors: [ClaimCursor]) {
        self.cursors = cursors
    }

    /// Up to which number the recipients of a wave are or were `sending`; of a run without waves, all of them.
    ///
    /// - Parameter number: that of somebody in the wave.
    package func last(inWaveOf number: Int) -> Int {
        cursors.last { $0.claimed.lowerBound < number }?.claimed.upperBound ?? 0
    }

    /// The SQL condition that a recipient is or was `sending`, on a row `p` of `run_platforms`.
    ///
    /// - Parameter number: the recipient's number, in SQL.
    package static func isClaimed(_ number: String) -> String {
        """
        (\(number) <= p.claimed AND NOT EXISTS (
            SELECT 1 FROM run_waves w
            LEFT JOIN wave_claims c
                ON c.run = w.run AND c.platform = p.position AND c.wave = w.number
            WHERE w.run = p.run AND \(number) BETWEEN w.first AND w.last
                AND coalesce(c.claimed, 0) < \(number)))
        """
    }
}

/// How far a platform of a run is claimed, in one of its waves or in a run that has none.
package struct ClaimCursor: Hashable, Sendable {
    /// nil in a run without waves.
    package let wave: Int?
    /// The recipients behind the lower bound, up to and with the upper one, are or were `sending`.
    package let claimed: Range<Int>
    /// The others, in the same way; in a run without waves its end may be behind everybody.
    package let open: Range<Int>

    /// That of a run without waves.
    ///
    /// - Parameters:
    ///   - claimed: up to which number the recipients are or were `sending`.
    ///   - last: the number of the last one, where that is known.
    package init(claimed: Int, last: Int = .max) {
        wave = nil
        self.claimed = 0..<max(0, claimed)
        open = max(0, claimed)..<max(0, claimed, last)
    }

    /// That of a wave.
    ///
    /// - Parameters:
    ///   - wave: its number.
    ///   - recipients: the wave's.
    ///   - claimed: 0 where nobody is.
    /// - Throws: ``DamagedValue`` for what was never written.
    package init(wave: Int, recipients: ClosedRange<Int>, claimed: Int) throws {
        guard claimed == 0 || recipients.contains(claimed) else { throw DamagedValue() }
        self.wave = wave
        let before = recipients.lowerBound - 1
        let last = max(before, claimed)
        self.claimed = before..<last
        open = last..<recipients.upperBound
    }

    /// That of a wave, from the columns of its row.
    ///
    /// - Throws: ``DamagedValue`` for what was never written.
    package init(wave: Int, first: Int, last: Int, claimed: Int) throws {
        guard 1 <= first, first <= last else { throw DamagedValue() }
        try self.init(wave: wave, recipients: first...last, claimed: claimed)
    }

    /// Those of some recipients whom the cursor is about; nil: none.
    package func part(of numbers: ClosedRange<Int>) -> ClosedRange<Int>? {
        let first = max(numbers.lowerBound, claimed.lowerBound + 1)
        let last = min(numbers.upperBound, open.upperBound)
        return first <= last ? first...last : nil
    }
}
