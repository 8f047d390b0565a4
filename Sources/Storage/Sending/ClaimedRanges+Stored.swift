import CampaignCore

extension ClaimedRanges {
    package init(of run: StoredRun, on platform: RunPlatform, _ db: any SQLConnection) throws {
        try self.init(
            of: run.key, hasWaves: run.hasWaves, on: platform.position, claimed: platform.claimed,
            last: run.hasWaves ? .max : run.last(db), db)
    }

    /// `claimed` must be read with the lock of the platform's row, if that is locked; `last` is the
    /// run's last number.
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
    /// The cursor of a run, or of one of its waves, locked until the transaction ends.
    ///
    /// Whatever decides is read after the lock: a statement that waits for one sees an older state.
    /// Throws ``StoreError/foreignWave(_:)`` if wave and run do not match.
    static func locked(
        wave: Int?, of run: StoredRun, on platform: Platform, id: RunID, _ db: any SQLConnection
    ) throws -> (cursor: ClaimCursor, position: Int) {
        // The recipients are fixed before anybody is claimed.
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
        // The clocks of two hosts may differ: the later time counts.
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

extension StoredRun {
    /// The number of the last recipient; 0 without any.
    package func last(_ db: any SQLConnection) throws -> Int {
        let last = try db.row("SELECT max(number) FROM recipients WHERE run = ?1", [key]) {
            try $0.optionalInt(0)
        }
        return last.flatMap(\.self) ?? 0
    }
}
