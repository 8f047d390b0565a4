package import CampaignCore
package import FoundationEssentials
import GRDB
package import Storage

extension SQLiteStore {
    /// What a process holds while it deletes deliveries, as it holds a campaign; no campaign has such a name.
    static let deletionLock = "(deletion)"

    /// Deletes, for good, what nobody can fetch any more of the payloads of runs that ended long ago.
    ///
    /// - Parameters:
    ///   - end: runs that ended then or before.
    ///   - now: the current time.
    /// - Returns: how many notifications, and how many bytes, were freed.
    /// - Throws: ``StoreError``; `CancellationError` between two transactions.
    package func purgePayloads(ofRunsEndedBy end: Date, at now: Date) async throws -> PurgeCounts {
        let (time, limit) = (StoredTime.milliseconds(now), StoredTime.milliseconds(end))
        let runs = try await read { db in try Self.purgeableRuns(endedBy: limit, at: time, db) }
        guard !runs.isEmpty else { return PurgeCounts() }
        var pace = WritePace(most: Self.transactionRows)
        var counts = try await purge(runs, at: time, pace: &pace)
        counts.bytes += try await purgeUnusedContent(pace: &pace)
        try await bringLogIn(isEmptied: false)
        return counts
    }

    /// Deletes, for good, the deliveries of runs that ended long ago, and whatever else tells of single people in them; the runs stay,
    /// and so do their sums.
    ///
    /// A run whose payload can still be fetched is left for later. What an earlier call began and did not end, this one goes on with.
    /// Nobody who writes waits for long: what is deleted in one transaction takes about a hundredth of a second. While another
    /// process is at it, this one leaves it to that.
    ///
    /// - Parameters:
    ///   - end: runs that ended then or before.
    ///   - now: the current time.
    ///   - isDryRun: counts only.
    /// - Returns: of how many runs, and how many people in them.
    /// - Throws: ``StoreError``; `CancellationError` between two transactions.
    package func deleteDeliveries(
        ofRunsEndedBy end: Date, at now: Date, isDryRun: Bool
    ) async throws -> DeletedDeliveries {
        try await deleteDeliveries(
            ofRunsEndedBy: end, at: now, isDryRun: isDryRun,
            pace: WritePace(most: Self.transactionRows))
    }

    /// The same, at a pace.
    func deleteDeliveries(
        ofRunsEndedBy end: Date, at now: Date, isDryRun: Bool, pace: WritePace
    ) async throws -> DeletedDeliveries {
        var pace = pace
        let (time, limit) = (StoredTime.milliseconds(now), StoredTime.milliseconds(end))
        let due = try await read { db in try DueRun.all(endedBy: limit, at: time, db) }
        var deleted = DeletedDeliveries()
        guard !isDryRun else {
            for run in due { deleted.add(run.recipients) }
            return deleted
        }
        var runs = try await read { db in try Int64.fetchAll(db, sql: Self.begunDeletions) }
        guard !runs.isEmpty || !due.isEmpty,
            // Two at once would give others half as much time between them.
            let lock = try inode.take(campaign: Self.deletionLock)
        else { return deleted }
        defer { lock.release() }
        for run in runs { try await deleteRows(of: run, pace: &pace) }
        deleted.continued = runs.count
        for run in due {
            try await pace.rest()
            guard try await beginDeletion(of: run, at: time) else { continue }
            deleted.add(run.recipients)
            try await deleteRows(of: run.key, pace: &pace)
            runs.append(run.key)
        }
        // First the content, so that a call that was interrupted is gone on with until nothing is left.
        _ = try await purgeUnusedContent(pace: &pace)
        try await write { [runs] db in
            let end = try db.cachedStatement(sql: "UPDATE run_sums SET is_begun = 0 WHERE run = ?")
            for run in runs { try end.execute(arguments: [run]) }
        }
        try await bringLogIn(isEmptied: false)
        return deleted
    }

    private static let begunDeletions = """
        SELECT run FROM run_sums INDEXED BY run_sums_begun WHERE is_begun = 1 ORDER BY run
        """

    /// Puts sums in the place of a run's deliveries; from then on nobody reads those any more.
    ///
    /// - Returns: false where another process was quicker.
    private func beginDeletion(of run: DueRun, at time: Int64) async throws -> Bool {
        let sums = try await read { db -> RunSums? in
            let stored = try StoredRun(of: run.id, db)
            guard stored.deliveriesDeleted == nil else { return nil }
            return try RunSums(of: stored, db)
        }
        guard let sums else { return false }
        return try await write { db in
            guard try StoredRun(of: run.id, db).deliveriesDeleted == nil else { return false }
            try sums.keep(of: run.key, db)
            // What is deleted row by row is compared with nothing.
            try db.execute(
                sql: """
                    UPDATE runs SET deliveries_deleted = ?1, purged = coalesce(purged, ?1),
                        recipients_digest = NULL, notifications_digest = NULL,
                        deliveries_digest = NULL
                    WHERE key = ?2
                    """,
                arguments: [time, run.key])
            try RowSeal.renew(run: run.key, db)
            return true
        }
    }

    /// Deletes all rows of a run's people, the last ones first: names are looked up among numbers without a gap from 1.
    ///
    /// - Parameters:
    ///   - run: the run's key.
    ///   - pace: how much at a time.
    /// - Throws: ``StoreError``; `CancellationError` between two transactions.
    func deleteRows(of run: Int64, pace: inout WritePace) async throws {
        var isOver = false
        while !isOver {
            isOver = try await pace.step { turn in
                try await write { db in try Self.deleteLast(of: run, in: turn, db) }
            }
        }
    }

    /// Deletes the rows of a run's last people.
    ///
    /// - Returns: whether nothing is left.
    private static func deleteLast(
        of run: Int64, in turn: WriteTurn, _ db: Database
    ) throws -> Bool {
        let platforms = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM run_platforms WHERE run = ?"),
            arguments: [run])
        // Beside deliveries and what push services made of them: the name, the payload, its id and the receipt.
        let rowsOfOne = 2 * (platforms ?? 0) + 4
        var last = try RecipientOrder(run: run, db).count
        return try turn.parts { rows in
            let first = max(1, last - max(1, rows / rowsOfOne) + 1)
            // What recipients share, under numbers below 1, goes with the last of them.
            let range: StatementArguments = [
                run, first == 1 ? NotificationPlace.beforeAll : first, last,
            ]
            for statement in clearing + clearingFurther {
                try db.cachedStatement(sql: statement).execute(arguments: range)
            }
            last = first - 1
            return first == 1
        }
    }

    /// What comes after staging.
    private static let clearingFurther = [
        "DELETE FROM receipts WHERE run = ? AND number BETWEEN ? AND ?",
        """
        DELETE FROM telemetry WHERE run = ?1
            AND platform IN (SELECT position FROM run_platforms WHERE run = ?1)
            AND number BETWEEN ?2 AND ?3
        """,
    ]
}

/// A run whose deliveries are to be deleted.
private struct DueRun {
    let key: Int64
    let id: RunID
    let recipients: Int

    /// All of them, those that ended first first.
    ///
    /// - Parameters:
    ///   - end: when they ended at the latest.
    ///   - time: the current time.
    ///   - db: any connection.
    static func all(endedBy end: Int64, at time: Int64, _ db: Database) throws -> [DueRun] {
        try Row.fetchAll(db.cachedStatement(sql: query), arguments: [time, end]).map { row in
            DueRun(key: row[0], id: RunID(checked: row[1]), recipients: row[2])
        }
    }

    /// An index knows when those ended that have deliveries, so that as a rule no row is read.
    ///
    /// What is shown at once is not waited for, but fallbacks are: until they expire with the run that they follow, another may come,
    /// which must not be for the same people.
    private static let query = """
        SELECT key, id, final FROM runs INDEXED BY runs_with_deliveries
        WHERE deliveries_deleted IS NULL AND finished <= ?2
            AND state = '\(RunState.finished.rawValue)'
            AND (expires <= ?1 OR revoked IS NOT NULL
                OR kind = '\(CampaignKind.alert.rawValue)'
                    AND occurrence NOT GLOB '\(Occurrence.fallbackPrefix)*')
        ORDER BY finished, key
        """
}
