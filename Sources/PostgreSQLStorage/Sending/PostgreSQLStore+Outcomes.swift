package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func record(
        _ records: [DeliveryRecord], requests: Int, of run: RunID
    ) async throws {
        let part = part
        // The hub's answers are recorded even when nothing new is begun.
        try await write(despiteCancellation: true) { db in
            let stored = try StoredRun(of: run, db)
            let platforms = try RunPlatform.all(of: stored, db)
            let rows = try DeliveryRows(records, of: part?.member) { platform in
                guard let found = platforms.first(where: { $0.platform == platform }) else {
                    throw StoreError.foreignPlatform(run, platform)
                }
                return found.position
            }
            try rows.write(to: stored, db)
            // A part reports its requests itself; twice would count them double.
            guard part == nil, requests > 0 else { return }
            // Last, since every host of the run waits for this row.
            try db.execute(
                "UPDATE runs SET requests = requests + $2 WHERE key = $1", [stored.key, requests])
        }
    }

    package func outcomes(_ run: RunID) async throws -> OutcomeCounts {
        try await read(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.outcomes ?? Self.outcomes(of: stored, db)
        }
    }

    static func outcomes(of run: StoredRun, _ db: PostgreSQLConnection) throws -> OutcomeCounts {
        let size = try db.row(
            """
            SELECT final * (SELECT count(*) FROM run_platforms WHERE run = $1)
            FROM runs WHERE key = $1
            """, [run.key])
        guard let size else { throw DamagedValue() }
        var counts = OutcomeCounts()
        let rows = try db.rows(
            "SELECT \(sums) FROM deliveries WHERE run = $1 GROUP BY state", [run.key])
        for row in rows { counts.add(try Self.ended(row)) }
        return try counts.completed(to: size.int(0), run)
    }

    package func waveStandings(_ run: RunID) async throws -> [WaveStanding] {
        try await read(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            guard stored.hasWaves else { return [] }
            if let sums = try RunSums.kept(of: stored, db) {
                return try sums.standings(of: WaveRow.all(of: stored.key, db))
            }
            return try Self.waveStandings(of: stored, db)
        }
    }

    static func waveStandings(
        of run: StoredRun, _ db: PostgreSQLConnection
    ) throws -> [WaveStanding] {
        guard run.hasWaves else { return [] }
        let platforms = try RunPlatform.all(of: run, db).count
        var counts: [Int: OutcomeCounts] = [:]
        for row in try db.rows(countingWaves, [run.key]) {
            counts[try row.int(5), default: OutcomeCounts()].add(try ended(row))
        }
        return try WaveRow.all(of: run.key, db).map { wave in
            let outcomes = counts[wave.number] ?? OutcomeCounts()
            return WaveStanding(
                wave: wave,
                outcomes: try outcomes.completed(to: wave.recipients.count * platforms, run))
        }
    }

    /// Reads the first columns of ``sums``: the deliveries of one state, if that is an outcome.
    private static func ended(_ row: PostgreSQLRow) throws -> OutcomeCounts {
        guard let state = DeliveryState(rawValue: try row.int(0)) else { throw DamagedValue() }
        var counts = OutcomeCounts()
        guard case .ended(let outcome) = state, outcome != .notAttempted else { return counts }
        counts[outcome] = try row.int(1)
        guard outcome == .skipped else { return counts }
        counts.tooLate = try row.int(2)
        counts.expired = try row.int(3)
        counts.revoked = try row.int(4)
        return counts
    }

    private static let sums: String = {
        let reasons = [SkipReason.tooLate, .expired, .revoked].map { reason in
            "count(*) FILTER (WHERE starts_with(detail, '\(reason.rawValue)'))"
        }
        return (["state", "count(*)"] + reasons).joined(separator: ", ")
    }()

    /// One range of rows for each wave on each platform.
    private static let countingWaves = """
        SELECT s.*, w.number
        FROM run_waves w
        JOIN run_platforms p ON p.run = $1
        CROSS JOIN LATERAL (
            SELECT \(sums) FROM deliveries d
            WHERE d.run = $1 AND d.platform = p.position AND d.number BETWEEN w.first AND w.last
            GROUP BY state
        ) s
        WHERE w.run = $1
        """
}

extension OutcomeCounts {
    /// Counts deliveries without an outcome as `not_attempted`.
    ///
    /// While a run is being staged, its deliveries are not counted yet.
    fileprivate func completed(to deliveries: Int, _ run: StoredRun) throws -> OutcomeCounts {
        guard run.isBeingStaged || total <= deliveries else { throw DamagedValue() }
        var counts = self
        counts[.notAttempted] = max(0, deliveries - total)
        return counts
    }
}

extension PostgreSQLStore {
    package func endRemaining(
        _ run: RunID, as outcome: Outcome, detail: String, at time: Date
    ) async throws {
        let (positions, last) = try await write { db in
            let stored = try StoredRun(of: run, db)
            // Parts write nothing after this.
            try RunMembers.takeOverAll(of: stored.key, db)
            return (
                try RunPlatform.all(of: stored, db).map(\.position),
                try Self.lastNumber(of: stored, db)
            )
        }
        for position in positions {
            for first in stride(from: 1, through: last, by: Self.transactionRows) {
                let numbers = first...min(first + Self.transactionRows - 1, last)
                try await write { db in
                    let stored = try StoredRun(of: run, db)
                    for cursor in try Self.lockedRanges(of: stored, on: position, last: last, db)
                        .cursors
                    {
                        guard let part = cursor.part(of: numbers) else { continue }
                        let rows: [any PostgreSQLBindable] = [
                            stored.key, position, part.lowerBound, part.upperBound,
                            outcome.stored, StoredText.encode(detail),
                            StoredTime.milliseconds(time),
                        ]
                        try db.execute(Self.endingOpen, rows)
                        try db.execute(Self.endingRest, rows + [cursor.claimed.upperBound])
                        // Nothing of it is left to claim.
                        try cursor.advance(
                            to: part.upperBound, of: stored.key, on: position, at: nil, db)
                    }
                }
            }
        }
        try await write { db in
            try ClaimedPages.removeAll(of: StoredRun(of: run, db).key, db)
        }
    }

    /// The claimed ranges on a platform, locked until the transaction ends.
    private static func lockedRanges(
        of run: StoredRun, on position: Int, last: Int, _ db: PostgreSQLConnection
    ) throws -> ClaimedRanges {
        let row = try db.row(
            "SELECT claimed FROM run_platforms WHERE run = $1 AND position = $2 FOR UPDATE",
            [run.key, position])
        guard let row else { throw DamagedValue() }
        return try ClaimedRanges(
            of: run.key, hasWaves: run.hasWaves, on: position, claimed: row.int(0), last: last, db)
    }

    /// For one range of recipients, those with an open row.
    private static let endingOpen = """
        UPDATE deliveries SET
            state = CASE WHEN state = \(DeliveryState.sending.rawValue) OR is_uncertain
                THEN \(Outcome.unknown.stored) ELSE $5::smallint END,
            attempts = attempts + (state = \(DeliveryState.sending.rawValue))::int,
            is_uncertain = is_uncertain OR state = \(DeliveryState.sending.rawValue),
            detail = $6, recorded = $7, member = NULL
        WHERE run = $1 AND platform = $2 AND number BETWEEN $3 AND $4 AND state < 2
        """

    /// For one range of recipients, those without a row; an outcome that is recorded meanwhile
    /// stays.
    private static let endingRest = """
        INSERT INTO deliveries (run, platform, number, state, attempts, is_uncertain, recorded,
            detail)
        SELECT $1, $2, r.number,
            CASE WHEN r.number <= $8 THEN \(Outcome.unknown.stored) ELSE $5 END::smallint,
            (r.number <= $8)::int, r.number <= $8, $7, $6
        FROM recipients r
        \(withDelivery)
        WHERE r.run = $1 AND r.number BETWEEN $3 AND $4 AND d.number IS NULL
        ORDER BY r.number
        ON CONFLICT (run, platform, number) DO NOTHING
        """
}
