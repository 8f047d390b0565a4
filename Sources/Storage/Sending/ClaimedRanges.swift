import CampaignCore

/// Which recipients of a run are or were `sending` on a platform: those up to a number, in each
/// wave if there are waves.
package struct ClaimedRanges: Hashable, Sendable {
    /// One cursor for each wave, in order, or a single cursor if there are no waves.
    package let cursors: [ClaimCursor]

    package init(_ cursors: [ClaimCursor]) {
        self.cursors = cursors
    }

    /// The last number that is or was `sending`, in the wave of a recipient or in the whole run.
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
    /// Recipients that are or were `sending`: those after the lower bound, up to and including the
    /// upper bound.
    package let claimed: Range<Int>
    /// The other recipients, with bounds of the same kind; without waves, the upper bound may be
    /// beyond the last recipient.
    package let open: Range<Int>

    /// A cursor without waves, claimed up to a number.
    package init(claimed: Int, last: Int = .max) {
        wave = nil
        self.claimed = 0..<max(0, claimed)
        open = max(0, claimed)..<max(0, claimed, last)
    }

    /// A cursor of a wave; throws ``DamagedValue`` for values that are never written.
    package init(wave: Int, first: Int, last: Int, claimed: Int) throws {
        guard 1 <= first, first <= last, claimed == 0 || (first...last).contains(claimed) else {
            throw DamagedValue()
        }
        self.wave = wave
        let lastClaimed = max(first - 1, claimed)
        self.claimed = (first - 1)..<lastClaimed
        open = lastClaimed..<last
    }

    /// Returns those of the recipients that the cursor covers.
    package func part(of numbers: ClosedRange<Int>) -> ClosedRange<Int>? {
        let first = max(numbers.lowerBound, claimed.lowerBound + 1)
        let last = min(numbers.upperBound, open.upperBound)
        return first <= last ? first...last : nil
    }
}

extension ClaimedRanges {
    package init(of run: StoredRun, on platform: RunPlatform, _ db: any SQLConnection) throws {
        try self.init(
            of: run.key, hasWaves: run.hasWaves, on: platform.position, claimed: platform.claimed,
            last: run.hasWaves ? .max : run.lastNumber(db), db)
    }

    /// `claimed` must be read while holding the lock on the platform's row, if there is one; `last`
    /// is the run's last number.
    package init(
        of run: Int64, hasWaves: Bool, on position: Int, claimed: Int, last: Int = .max,
        _ db: any SQLConnection
    ) throws {
        self.init(
            hasWaves
                ? try db.rows(
                    "\(ClaimCursor.waves) ORDER BY w.number", [run, position], ClaimCursor.init)
                : [ClaimCursor(claimed: claimed, last: last)])
    }
}

extension ClaimCursor {
    /// The cursor of a run or of one of its waves, locked until the transaction ends.
    ///
    /// Everything that determines a claim is read after locking, because a statement that waits for
    /// a lock sees an older state. Throws ``StoreError/foreignWave(_:)`` if the wave does not
    /// belong to the run.
    static func locked(
        wave: Int?, of run: StoredRun, on platform: Platform, id: RunID, _ db: any SQLConnection
    ) throws -> (cursor: ClaimCursor, position: Int) {
        // The recipients are final before anybody is claimed.
        let found = try db.row(
            """
            SELECT p.position, p.claimed,
                coalesce((SELECT max(r.number) FROM recipients r WHERE r.run = ?1), 0)
            FROM run_platforms p WHERE p.run = ?1 AND p.platform = ?2 \(db.dialect.forUpdate)
            """, [run.key, platform.rawValue]
        ) { (position: try $0.int(0), claimed: try $0.int(1), last: try $0.int(2)) }
        guard let found else { throw StoreError.foreignPlatform(id, platform) }
        guard let wave else {
            guard !run.hasWaves else { throw StoreError.foreignWave(id) }
            return (ClaimCursor(claimed: found.claimed, last: found.last), found.position)
        }
        let cursor = try db.row(
            "\(waves) AND w.number = ?3", [run.key, found.position, wave], ClaimCursor.init)
        guard let cursor else { throw StoreError.foreignWave(id) }
        return (cursor, found.position)
    }

    /// Records claims up to a number, which must be in ``open``, at a time in milliseconds (nil:
    /// nothing was sent).
    package func advance(
        to number: Int, of run: Int64, on position: Int, at time: Int64?, _ db: any SQLConnection
    ) throws {
        guard number > claimed.upperBound else { return }
        if let wave {
            try db.run(
                """
                INSERT INTO wave_claims (run, platform, wave, claimed) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (run, platform, wave) DO UPDATE SET claimed = excluded.claimed
                """, [run, position, wave, number])
        }
        // The clocks of two hosts may differ, so the later time is kept.
        let greatest = db.dialect.greatest
        try db.run(
            """
            UPDATE run_platforms
            SET claimed = \(greatest)(claimed, ?3),
                claimed_at = \(greatest)(claimed_at, coalesce(?4, claimed_at))
            WHERE run = ?1 AND position = ?2
            """, [run, position, number, time])
    }

    fileprivate init(_ row: any SQLRow) throws {
        try self.init(
            wave: row.int(0), first: row.int(1), last: row.int(2), claimed: row.int(3))
    }

    fileprivate static let waves = """
        SELECT w.number, w.first, w.last, coalesce(c.claimed, 0)
        FROM run_waves w
        LEFT JOIN wave_claims c ON c.run = w.run AND c.platform = ?2 AND c.wave = w.number
        WHERE w.run = ?1
        """
}
