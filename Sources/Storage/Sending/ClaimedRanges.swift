/// Which recipients of a run are or were `sending` on a platform: up to a number, in each wave if
/// there are waves.
package struct ClaimedRanges: Hashable, Sendable {
    /// One for each wave, in order, or a single one.
    package let cursors: [ClaimCursor]

    package init(_ cursors: [ClaimCursor]) {
        self.cursors = cursors
    }

    /// The last number in a wave that is or was `sending`, or in the whole run.
    package func last(inWaveOf number: Int) -> Int {
        cursors.last { $0.claimed.lowerBound < number }?.claimed.upperBound ?? 0
    }

    /// The SQL condition that a recipient is or was `sending`, on a row `p` of `run_platforms`.
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

/// How far a platform of a run, or of one of its waves, is claimed.
package struct ClaimCursor: Hashable, Sendable {
    /// nil in a run without waves.
    package let wave: Int?
    /// Recipients that are or were `sending`: after the lower bound, up to and including the upper
    /// one.
    package let claimed: Range<Int>
    /// The others, in the same way; without waves its end may lie beyond everybody.
    package let open: Range<Int>

    /// A cursor without waves, claimed up to a number.
    package init(claimed: Int, last: Int = .max) {
        wave = nil
        self.claimed = 0..<max(0, claimed)
        open = max(0, claimed)..<max(0, claimed, last)
    }

    /// A cursor of a wave; throws ``DamagedValue`` for values that are never written.
    package init(wave: Int, recipients: ClosedRange<Int>, claimed: Int) throws {
        guard claimed == 0 || recipients.contains(claimed) else { throw DamagedValue() }
        self.wave = wave
        let before = recipients.lowerBound - 1
        let last = max(before, claimed)
        self.claimed = before..<last
        open = last..<recipients.upperBound
    }

    /// A cursor of a wave, from the columns of its row; throws ``DamagedValue`` for values that are
    /// never written.
    package init(wave: Int, first: Int, last: Int, claimed: Int) throws {
        guard 1 <= first, first <= last else { throw DamagedValue() }
        try self.init(wave: wave, recipients: first...last, claimed: claimed)
    }

    /// The recipients among these that the cursor covers.
    package func part(of numbers: ClosedRange<Int>) -> ClosedRange<Int>? {
        let first = max(numbers.lowerBound, claimed.lowerBound + 1)
        let last = min(numbers.upperBound, open.upperBound)
        return first <= last ? first...last : nil
    }
}
