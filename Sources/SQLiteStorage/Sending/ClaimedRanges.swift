import CampaignCore
import GRDB
import Storage

/// Which recipients of a run are or were `sending` on a platform, and which are not yet.
///
/// They are claimed in order: up to a number of the whole run, or, where it has waves, up to a number in each of them. Nothing
/// else knows how that is written down.
struct ClaimedRanges {
    /// One for each wave, in order; one alone where there are none.
    let cursors: [ClaimCursor]

    /// - Parameters:
    ///   - run: the run.
    ///   - platform: one of its platforms, read in the same transaction.
    ///   - db: any connection.
    init(of run: StoredRun, on platform: RunPlatform, _ db: Database) throws {
        try self.init(
            of: run.key, hasWaves: run.hasWaves, on: platform.position, claimed: platform.claimed,
            db)
    }

    /// - Parameters:
    ///   - run: the run's key.
    ///   - hasWaves: whether `runs.waves_digest` is something; nothing more is read otherwise.
    ///   - position: the platform's place in the run.
    ///   - claimed: the platform's `run_platforms.claimed`, read in the same transaction.
    ///   - db: any connection.
    /// - Throws: `DatabaseError.damaged` for what was never written.
    init(
        of run: Int64, hasWaves: Bool, on position: Int, claimed: Int, _ db: Database
    ) throws {
        cursors =
            hasWaves
            ? try ClaimCursor.ofWaves(of: run, on: position, db)
            : [ClaimCursor(of: run, on: position, claimed: claimed)]
    }

    /// Up to which number the recipients of a wave are or were `sending`; of a run without waves, all of them.
    ///
    /// - Parameter number: that of somebody in the wave.
    func last(inWaveOf number: Int) -> Int {
        cursors.last { $0.claimed.lowerBound < number }?.claimed.upperBound ?? 0
    }

    /// The SQL condition that a recipient is or was `sending`, on a row `p` of `run_platforms`.
    ///
    /// - Parameter number: the recipient's number, in SQL.
    static func isClaimed(_ number: String) -> String {
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
struct ClaimCursor {
    private let run: Int64
    private let position: Int
    /// nil in a run without waves.
    private let wave: Int?
    /// The recipients behind the lower bound, up to and with the upper one, are or were `sending`.
    let claimed: Range<Int>
    /// The others, in the same way; in a run without waves its end is behind everybody.
    let open: Range<Int>

    fileprivate init(of run: Int64, on position: Int, claimed: Int) {
        self.run = run
        self.position = position
        wave = nil
        self.claimed = 0..<max(0, claimed)
        open = max(0, claimed)..<Int.max
    }

    /// - Parameters:
    ///   - recipients: the wave's.
    ///   - claimed: 0 where nobody is.
    private init(
        of run: Int64, on position: Int, wave: Int, recipients: ClosedRange<Int>, claimed: Int
    ) throws {
        guard claimed == 0 || recipients.contains(claimed) else { throw DatabaseError.damaged }
        self.run = run
        self.position = position
        self.wave = wave
        let before = recipients.lowerBound - 1
        let last = max(before, claimed)
        self.claimed = before..<last
        open = last..<recipients.upperBound
    }

    /// Those of some recipients whom the cursor is about; nil: none.
    func part(of numbers: ClosedRange<Int>) -> ClosedRange<Int>? {
        let first = max(numbers.lowerBound, claimed.lowerBound + 1)
        let last = min(numbers.upperBound, open.upperBound)
        return first <= last ? first...last : nil
    }

    /// Writes down that claiming has come to a recipient.
    ///
    /// - Parameters:
    ///   - number: the last who is claimed; one of ``open``, or nothing changes.
    ///   - time: when, in milliseconds; nil: nothing of it is sent.
    ///   - db: the connection, in the transaction that read the cursor.
    func advance(to number: Int, at time: Int64?, _ db: Database) throws {
        guard number > claimed.upperBound else { return }
        if let wave {
            try Self.write(number, wave: wave, of: run, on: position, db)
            let before = claimed.isEmpty ? 0 : digest(of: wave, claimed: claimed.upperBound)
            try change(digest: digest(of: wave, claimed: number) &- before, db)
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

    /// The digest of the row of a wave, by the columns that ``WaveRow/check(of:_:count:_:)`` reads.
    private func digest(of wave: Int, claimed: Int) -> Int64 {
        var digest = RowDigest()
        for value in [run, Int64(position), Int64(wave), Int64(claimed)] { digest.add(value) }
        return digest.value
    }

    /// Adds to the sum of the digests of the platform's rows.
    private func change(digest change: Int64, _ db: Database) throws {
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

    /// Those of all waves of a run, in order.
    fileprivate static func ofWaves(
        of run: Int64, on position: Int, _ db: Database
    ) throws -> [ClaimCursor] {
        let query = try NativeStatement("\(waves) ORDER BY w.number", db)
        query.bind(run, at: 1)
        query.bind(position, at: 2)
        var cursors: [ClaimCursor] = []
        try query.forEachRow { row in
            cursors.append(try ClaimCursor(row, of: run, on: position))
        }
        return cursors
    }

    /// Finds the one of a wave.
    ///
    /// - Parameters:
    ///   - wave: its number; nil: the run has none, and nothing is read.
    ///   - run: the run.
    ///   - platform: one of its platforms, read in the same transaction.
    ///   - id: the run's.
    ///   - db: any connection.
    /// - Throws: ``StoreError/foreignWave(_:)`` when the run has no such wave, or has waves and none is asked for.
    static func find(
        wave: Int?, of run: StoredRun, on platform: RunPlatform, id: RunID, _ db: Database
    ) throws -> ClaimCursor {
        guard let wave else {
            guard !run.hasWaves else { throw StoreError.foreignWave(id) }
            return ClaimCursor(of: run.key, on: platform.position, claimed: platform.claimed)
        }
        let query = try NativeStatement("\(waves) AND w.number = ?3", db)
        query.bind(run.key, at: 1)
        query.bind(platform.position, at: 2)
        query.bind(wave, at: 3)
        var found: ClaimCursor?
        try query.forEachRow { row in
            found = try ClaimCursor(row, of: run.key, on: platform.position)
        }
        guard let found else { throw StoreError.foreignWave(id) }
        return found
    }

    private init(_ row: NativeRow, of run: Int64, on position: Int) throws {
        let (first, last) = (row.integer(1), row.integer(2))
        guard 1 <= first, first <= last else { throw DatabaseError.damaged }
        try self.init(
            of: run, on: position, wave: row.integer(0), recipients: first...last,
            claimed: row.integer(3))
    }

    private static let waves = """
        SELECT w.number, w.first, w.last, c.claimed
        FROM run_waves w
        LEFT JOIN wave_claims c ON c.run = w.run AND c.platform = ?2 AND c.wave = w.number
        WHERE w.run = ?1
        """
}
