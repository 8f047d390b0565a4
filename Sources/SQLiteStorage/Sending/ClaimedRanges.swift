import CampaignCore
import GRDB
import Storage

extension ClaimedRanges {
    init(of run: StoredRun, on platform: RunPlatform, _ db: Database) throws {
        try self.init(
            of: run.key, hasWaves: run.hasWaves, on: platform.position, claimed: platform.claimed,
            db)
    }

    /// `claimed` must be read in the same transaction; without waves nothing more is read.
    init(
        of run: Int64, hasWaves: Bool, on position: Int, claimed: Int, _ db: Database
    ) throws {
        self.init(
            hasWaves
                ? try ClaimCursor.ofWaves(of: run, on: position, db)
                : [ClaimCursor(claimed: claimed)])
    }
}

extension ClaimCursor {
    /// Records claims up to a number, which must be in ``open``, at a time in milliseconds (nil:
    /// nothing was sent).
    func advance(
        to number: Int, of run: Int64, on position: Int, at time: Int64?, _ db: Database
    ) throws {
        guard number > claimed.upperBound else { return }
        if let wave {
            try Self.write(number, wave: wave, of: run, on: position, db)
            let row = { Self.digest(of: wave, claimed: $0, run: run, position: position) }
            let before = claimed.isEmpty ? 0 : row(claimed.upperBound)
            try Self.change(digest: row(number) &- before, of: run, on: position, db)
        }
        try db.cachedStatement(
            sql: """
                UPDATE run_platforms
                SET claimed = max(claimed, ?), claimed_at = coalesce(?, claimed_at)
                WHERE run = ? AND position = ?
                """
        ).execute(arguments: [number, time, run, position])
        try RowSeal.renew(platform: position, of: run, db)
    }

    private static func write(
        _ claimed: Int, wave: Int, of run: Int64, on position: Int, _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO wave_claims (run, platform, wave, claimed) VALUES (?, ?, ?, ?)
                ON CONFLICT (run, platform, wave) DO UPDATE SET claimed = excluded.claimed
                """
        ).execute(arguments: [run, position, wave, claimed])
    }

    /// The digest of a wave's row, by the columns of ``WaveRow/check(of:_:count:_:)``.
    private static func digest(
        of wave: Int, claimed: Int, run: Int64, position: Int
    ) -> Int64 {
        var digest = RowDigest()
        for value in [run, Int64(position), Int64(wave), Int64(claimed)] { digest.add(value) }
        return digest.value
    }

    /// Adds to the sum of the digests of the platform's rows.
    private static func change(
        digest change: Int64, of run: Int64, on position: Int, _ db: Database
    ) throws {
        let query = try NativeStatement(
            "SELECT waves_digest FROM run_platforms WHERE run = ? AND position = ?", db)
        query.bind(run, at: 1)
        query.bind(position, at: 2)
        var sum: Int64?
        try query.forEachRow { row in
            if !row.isNull(0) { sum = Int64(row.integer(0)) }
        }
        guard let sum else { throw DatabaseError.damaged }
        let update = try NativeStatement(
            "UPDATE run_platforms SET waves_digest = ? WHERE run = ? AND position = ?", db)
        update.bind(sum &+ change, at: 1)
        update.bind(run, at: 2)
        update.bind(position, at: 3)
        try update.run()
    }

    fileprivate static func ofWaves(
        of run: Int64, on position: Int, _ db: Database
    ) throws -> [ClaimCursor] {
        let query = try NativeStatement("\(waves) ORDER BY w.number", db)
        query.bind(run, at: 1)
        query.bind(position, at: 2)
        var cursors: [ClaimCursor] = []
        try query.forEachRow { row in
            cursors.append(try ClaimCursor(row))
        }
        return cursors
    }

    /// Finds the cursor of a wave, or of a run without waves; throws ``StoreError/foreignWave(_:)``
    /// if they do not match.
    static func find(
        wave: Int?, of run: StoredRun, on platform: RunPlatform, id: RunID, _ db: Database
    ) throws -> ClaimCursor {
        guard let wave else {
            guard !run.hasWaves else { throw StoreError.foreignWave(id) }
            return ClaimCursor(claimed: platform.claimed)
        }
        let query = try NativeStatement("\(waves) AND w.number = ?3", db)
        query.bind(run.key, at: 1)
        query.bind(platform.position, at: 2)
        query.bind(wave, at: 3)
        var found: ClaimCursor?
        try query.forEachRow { row in
            found = try ClaimCursor(row)
        }
        guard let found else { throw StoreError.foreignWave(id) }
        return found
    }

    private init(_ row: NativeRow) throws {
        try self.init(
            wave: row.integer(0), first: row.integer(1), last: row.integer(2),
            claimed: row.integer(3))
    }

    private static let waves = """
        SELECT w.number, w.first, w.last, c.claimed
        FROM run_waves w
        LEFT JOIN wave_claims c ON c.run = w.run AND c.platform = ?2 AND c.wave = w.number
        WHERE w.run = ?1
        """
}
