import CampaignCore
import PostgreSQLClient
import Storage

extension ClaimedRanges {
    /// `claimed` must be read with the lock of the platform's row, if that is locked; `last` is the
    /// run's last number.
    init(
        of run: Int64, hasWaves: Bool, on position: Int, claimed: Int, last: Int = .max,
        _ db: PostgreSQLConnection
    ) throws {
        self.init(
            hasWaves
                ? try ClaimCursor.ofWaves(of: run, on: position, db)
                : [ClaimCursor(claimed: claimed, last: last)])
    }
}

extension ClaimCursor {
    /// The cursor of a run, or of one of its waves, locked until the transaction ends.
    ///
    /// Whatever decides is read after the lock: a statement that waits for one sees an older state.
    /// Throws ``StoreError/foreignWave(_:)`` if wave and run do not match.
    static func locked(
        wave: Int?, of run: StoredRun, on platform: Platform, id: RunID, _ db: PostgreSQLConnection
    ) throws -> (cursor: ClaimCursor, position: Int) {
        // The recipients are fixed before anybody is claimed.
        let found = try db.row(
            """
            SELECT p.position, p.claimed,
                coalesce((SELECT max(r.number) FROM recipients r WHERE r.run = $1), 0)
            FROM run_platforms p WHERE p.run = $1 AND p.platform = $2 FOR UPDATE OF p
            """, [run.key, platform.rawValue])
        guard let found else { throw StoreError.foreignPlatform(id, platform) }
        let position = try found.int(0)
        guard let wave else {
            guard !run.hasWaves else { throw StoreError.foreignWave(id) }
            return (ClaimCursor(claimed: try found.int(1), last: try found.int(2)), position)
        }
        let row = try db.row("\(waves) AND w.number = $3", [run.key, position, wave])
        guard let row else { throw StoreError.foreignWave(id) }
        return (try ClaimCursor(row), position)
    }

    /// Records claims up to a number, which must be in ``open``, at a time in milliseconds (nil:
    /// nothing was sent).
    func advance(
        to number: Int, of run: Int64, on position: Int, at time: Int64?,
        _ db: PostgreSQLConnection
    ) throws {
        guard number > claimed.upperBound else { return }
        if let wave {
            try db.execute(
                """
                INSERT INTO wave_claims (run, platform, wave, claimed) VALUES ($1, $2, $3, $4)
                ON CONFLICT (run, platform, wave) DO UPDATE SET claimed = excluded.claimed
                """, [run, position, wave, number])
        }
        // The clocks of two hosts may differ: the later time counts.
        try db.execute(
            """
            UPDATE run_platforms
            SET claimed = greatest(claimed, $3), claimed_at = greatest(claimed_at, $4)
            WHERE run = $1 AND position = $2
            """, [run, position, number, time])
    }

    fileprivate static func ofWaves(
        of run: Int64, on position: Int, _ db: PostgreSQLConnection
    ) throws -> [ClaimCursor] {
        try db.rows("\(waves) ORDER BY w.number", [run, position]).map { try ClaimCursor($0) }
    }

    private init(_ row: PostgreSQLRow) throws {
        try self.init(
            wave: row.int(0), first: row.int(1), last: row.int(2), claimed: row.int(3))
    }

    private static let waves = """
        SELECT w.number, w.first, w.last, coalesce(c.claimed, 0)
        FROM run_waves w
        LEFT JOIN wave_claims c ON c.run = w.run AND c.platform = $2 AND c.wave = w.number
        WHERE w.run = $1
        """
}
