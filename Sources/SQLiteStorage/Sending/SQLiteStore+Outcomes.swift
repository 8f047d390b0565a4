package import CampaignCore
import Files
package import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    /// Makes sure, before pushes are claimed, that their outcomes can be recorded: there is room,
    /// and no file has to be opened.
    func prepareRecording() async throws {
        if try room.keep() { try await keepTemporaryFilesInMemory() }
    }

    func keepTemporaryFilesInMemory() async throws {
        try await writeWithoutTransaction { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
    }

    package func record(
        _ records: [DeliveryRecord], requests: Int, of run: RunID
    ) async throws {
        do {
            try await write(records, requests, of: run)
        } catch let error as StoreError where error.lacksRoom && room.give() {
            // A log that may not grow can begin anew.
            if case .limit(_, .fileSize) = error { try await bringLogIn(isEmptied: true) }
            try await write(records, requests, of: run)
        }
    }

    /// A delivery has a row already, and none was looked for.
    private struct RowIsThere: Error {}

    /// Only a delivery that waited has a row already; usually none is looked for.
    private func write(
        _ records: [DeliveryRecord], _ requests: Int, of run: RunID
    ) async throws {
        do {
            try await save { db in
                let stored = try StoredRun(of: run, db)
                let isAnyOpen = try DeliveryDigest.isAnyOpen(of: stored.key, db)
                do {
                    try Self.write(records, requests, of: run, replacing: isAnyOpen, db)
                } catch let error as DatabaseError
                    where error.resultCode == .SQLITE_CONSTRAINT && !isAnyOpen
                {
                    throw RowIsThere()
                }
            }
        } catch is RowIsThere {
            try await save { try Self.write(records, requests, of: run, replacing: true, $0) }
        }
    }

    private static func write(
        _ records: [DeliveryRecord], _ requests: Int, of run: RunID, replacing isReplacing: Bool,
        _ db: Database
    ) throws {
        let stored = try StoredRun(of: run, db)
        let platforms = try RunPlatform.all(of: stored, db)
        let known =
            isReplacing
            ? try platforms.map { try DeliveryDigest(of: stored.key, on: $0.position, db) } : []
        var written: Set<Int> = []
        var replaced: Int64 = 0
        var batch = try RowBatch(
            into: "deliveries", RunDigests.deliveries, onConflict: isReplacing ? replacing : "", db)
        // A span is read in place; taking a record out of an array copies it.
        let records = records.span
        for index in records.indices {
            let platform = records[index].platform
            guard let found = platforms.first(where: { $0.platform == platform }) else {
                throw StoreError.foreignPlatform(run, platform)
            }
            let number = records[index].number
            if let rows = known.first(where: { $0.position == found.position }) {
                let isFirst = written.insert(number * platforms.count + found.position).inserted
                if !isFirst { try batch.finish() }
                replaced &+= try rows.digest(of: number)
            }
            batch.append(stored.key)
            batch.append(found.position)
            batch.append(number)
            batch.append(DeliveryState(records[index].state).rawValue)
            batch.append(records[index].attempts)
            batch.append(records[index].isUncertain ? 1 : 0)
            batch.append(StoredTime.milliseconds(records[index].recordedAt))
            batch.append(records[index].detail.isEmpty ? nil : records[index].detail)
            batch.append(records[index].hubMessage)
            try batch.endRow()
        }
        try batch.finish()
        if requests > 0 {
            try db.cachedStatement(sql: "UPDATE runs SET requests = requests + ? WHERE key = ?")
                .execute(arguments: [requests, stored.key])
        }
        try RunDigests.add(deliveries: batch.digest &- replaced, to: stored.key, db)
    }

    package func outcomes(_ run: RunID) async throws -> OutcomeCounts {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.outcomes ?? Self.outcomes(of: stored, db)
        }
    }

    static func outcomes(of run: StoredRun, _ db: Database) throws -> OutcomeCounts {
        let statement = try db.cachedStatement(sql: counting)
        guard let row = try Row.fetchOne(statement, arguments: [run.key]) else {
            return OutcomeCounts()
        }
        return try counts(in: row, of: row[row.count - 1], run)
    }

    package func waveStandings(_ run: RunID) async throws -> [WaveStanding] {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            guard stored.hasWaves else { return [] }
            if let sums = try RunSums.kept(of: stored, db) {
                return try sums.standings(of: WaveRow.all(of: stored.key, db))
            }
            return try Self.waveStandings(of: stored, db)
        }
    }

    static func waveStandings(of run: StoredRun, _ db: Database) throws -> [WaveStanding] {
        guard run.hasWaves else { return [] }
        let platforms = try RunPlatform.all(of: run, db).count
        let statement = try db.cachedStatement(sql: countingWave)
        return try WaveRow.all(of: run.key, db).map { wave in
            let (first, last) = (wave.recipients.lowerBound, wave.recipients.upperBound)
            let row = try Row.fetchOne(statement, arguments: [run.key, first, last])
            guard let row else { throw DatabaseError.damaged }
            return WaveStanding(
                wave: wave,
                outcomes: try counts(in: row, of: wave.recipients.count * platforms, run))
        }
    }

    /// Reads the first columns of ``sums(accepted:)``; the rest of `deliveries` has no outcome.
    ///
    /// While a run is being staged, its deliveries are not counted yet.
    private static func counts(
        in row: Row, of deliveries: Int, _ run: StoredRun
    ) throws -> OutcomeCounts {
        var counts = OutcomeCounts()
        let reasons = Outcome.final.count
        for (index, outcome) in Outcome.final.enumerated() { counts[outcome] = row[index] }
        counts.tooLate = row[reasons]
        counts.expired = row[reasons + 1]
        counts.revoked = row[reasons + 2]
        guard run.isBeingStaged || counts.total <= deliveries else { throw DatabaseError.damaged }
        counts[.notAttempted] = max(0, deliveries - counts.total)
        return counts
    }

    private static let replacing = """
        ON CONFLICT (run, platform, number) DO UPDATE SET
            state = excluded.state, attempts = excluded.attempts,
            is_uncertain = excluded.is_uncertain, recorded = excluded.recorded,
            detail = excluded.detail, hub_message = excluded.hub_message
        """

    /// What ``counts(in:of:)`` reads.
    private static func sums(accepted: String) -> String {
        let counts = Outcome.final.map { outcome in
            outcome == .accepted
                ? accepted
                : "count(*) FILTER (WHERE state = \(outcome.stored))"
        }
        let reasons = [SkipReason.tooLate, .expired, .revoked].map { reason in
            """
            count(*) FILTER (WHERE state = \(Outcome.skipped.stored)
                AND detail GLOB '\(reason.rawValue)*')
            """
        }
        return (counts + reasons).joined(separator: ", ")
    }

    /// Counts all of a run's rows, and looks closer only at those that were not accepted.
    ///
    /// They are few, and the closer look takes most of the time. A GROUP BY would sort the rows.
    private static let counting = """
        SELECT \(sums(accepted: "(SELECT count(*) FROM deliveries WHERE run = ?1) - count(*)")),
            (SELECT final * (SELECT count(*) FROM run_platforms WHERE run = ?1)
                FROM runs WHERE key = ?1)
        FROM deliveries WHERE run = ?1 AND state <> \(Outcome.accepted.stored)
        """

    private static let countingWave = """
        SELECT \(sums(accepted: "count(*) FILTER (WHERE state = \(Outcome.accepted.stored))"))
        FROM run_platforms p CROSS JOIN deliveries d
            ON d.run = p.run AND d.platform = p.position AND d.number BETWEEN ?2 AND ?3
        WHERE p.run = ?1
        """
}

extension SQLiteStore {
    package func endRemaining(
        _ run: RunID, as outcome: Outcome, detail: String, at time: Date
    ) async throws {
        let (positions, last) = try await read { db in
            let stored = try StoredRun(of: run, db)
            let last = try Int.fetchOne(
                db, sql: "SELECT max(number) FROM recipients WHERE run = ?", arguments: [stored.key]
            )
            return (try RunPlatform.all(of: stored, db).map(\.position), last ?? 0)
        }
        for position in positions {
            for first in stride(from: 1, through: last, by: Self.transactionRows) {
                let numbers = first...min(first + Self.transactionRows - 1, last)
                let arguments: StatementArguments = [
                    "platform": position, "state": outcome.stored,
                    "detail": detail, "time": StoredTime.milliseconds(time),
                ]
                try await save { db in
                    let stored = try StoredRun(of: run, db)
                    let platforms = try RunPlatform.all(of: stored, db)
                    guard let platform = platforms.first(where: { $0.position == position }) else {
                        throw DatabaseError.damaged
                    }
                    var change: Int64 = 0
                    for cursor in try ClaimedRanges(of: stored, on: platform, db).cursors {
                        guard let part = cursor.part(of: numbers) else { continue }
                        change &+= try Self.end(
                            arguments + [
                                "run": stored.key, "first": part.lowerBound,
                                "last": part.upperBound, "claimed": cursor.claimed.upperBound,
                            ], db)
                        // Nothing of it is left to claim.
                        try cursor.advance(
                            to: part.upperBound, of: stored.key, on: position, at: nil, db)
                    }
                    try RunDigests.add(deliveries: change, to: stored.key, db)
                }
            }
        }
    }

    private static func end(_ arguments: StatementArguments, _ db: Database) throws -> Int64 {
        let columns = Int32(RunDigests.deliveries.count)
        var change: Int64 = 0
        let before = try NativeStatement(open, db)
        try before.bind(arguments)
        try before.forEachRow { change &-= $0.digest(columns) }
        for sql in ending {
            let statement = try NativeStatement(sql, db)
            try statement.bind(arguments)
            try statement.forEachRow { change &+= $0.digest(columns) }
        }
        return change
    }

    private static let columns = RunDigests.deliveries.joined(separator: ", ")

    /// Open rows of one range of recipients.
    private static let open = """
        SELECT \(columns) FROM deliveries
        WHERE run = :run AND platform = :platform AND number BETWEEN :first AND :last AND state < 2
        """

    /// For one range of recipients: those with an open row, and those without a row.
    private static let ending = [
        """
        UPDATE deliveries SET
            state = CASE WHEN state = \(DeliveryState.sending.rawValue) OR is_uncertain
                THEN \(Outcome.unknown.stored) ELSE :state END,
            attempts = attempts + (state = \(DeliveryState.sending.rawValue)),
            is_uncertain = is_uncertain OR state = \(DeliveryState.sending.rawValue),
            detail = :detail, recorded = :time
        WHERE run = :run AND platform = :platform AND number BETWEEN :first AND :last AND state < 2
        RETURNING \(columns)
        """,
        """
        INSERT INTO deliveries (run, platform, number, state, attempts, is_uncertain, recorded,
            detail)
        SELECT r.run, :platform, r.number,
            CASE WHEN r.number <= :claimed THEN \(Outcome.unknown.stored)
                ELSE :state END,
            r.number <= :claimed, r.number <= :claimed, :time, :detail
        FROM recipients r
        WHERE r.run = :run AND r.number BETWEEN :first AND :last
            AND NOT EXISTS (SELECT 1 FROM deliveries d
                WHERE d.run = r.run AND d.platform = :platform AND d.number = r.number)
        RETURNING \(columns)
        """,
    ]
}
