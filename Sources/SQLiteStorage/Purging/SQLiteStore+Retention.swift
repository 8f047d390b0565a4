package import CampaignCore
package import FoundationEssentials
import GRDB
package import Storage

extension SQLiteStore {
    /// The lock for deleting deliveries, like a campaign's; no campaign has such a name.
    static let deletionLock = "(deletion)"

    /// Deletes payloads of old runs that nobody can fetch any more, for good, and returns what was
    /// freed.
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

    /// Deletes the deliveries of old runs and all else about single people in them, for good; runs
    /// and sums stay.
    ///
    /// A run with a fetchable payload is left for later. An interrupted call is continued. Each
    /// transaction takes about a hundredth of a second, so writers hardly wait. If another process
    /// is deleting, this call does nothing.
    package func deleteDeliveries(
        ofRunsEndedBy end: Date, at now: Date, isDryRun: Bool
    ) async throws -> DeletedDeliveries {
        try await deleteDeliveries(
            ofRunsEndedBy: end, at: now, isDryRun: isDryRun,
            pace: WritePace(most: Self.transactionRows))
    }

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
            // Two at once would leave others half as much time.
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
        // Content first, so that an interrupted call is continued until nothing is left.
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

    /// Replaces a run's deliveries by sums, so that nobody reads them any more; false: another
    /// process was faster.
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
            // Digests are not compared during a deletion row by row.
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

    /// Deletes all rows of a run's people, last ones first: names are searched among numbers from 1
    /// without a gap.
    func deleteRows(of run: Int64, pace: inout WritePace) async throws {
        var isOver = false
        while !isOver {
            isOver = try await pace.step { turn in
                try await write { db in try Self.deleteLast(of: run, in: turn, db) }
            }
        }
    }

    private static func deleteLast(
        of run: Int64, in turn: WriteTurn, _ db: Database
    ) throws -> Bool {
        let platforms = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM run_platforms WHERE run = ?"),
            arguments: [run])
        // Besides deliveries and telemetry: the name, the payload, its id and the receipt.
        let rowsOfOne = 2 * (platforms ?? 0) + 4
        var last = try RecipientOrder(run: run, db).count
        return try turn.parts { rows in
            let first = max(1, last - max(1, rows / rowsOfOne) + 1)
            // Shared notifications, with numbers below 1, are deleted with the last recipients.
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

private struct DueRun {
    let key: Int64
    let id: RunID
    let recipients: Int

    static func all(endedBy end: Int64, at time: Int64, _ db: Database) throws -> [DueRun] {
        try Row.fetchAll(db.cachedStatement(sql: query), arguments: [time, end]).map { row in
            DueRun(key: row[0], id: RunID(checked: row[1]), recipients: row[2])
        }
    }

    /// An index knows the ends of runs with deliveries, so usually no row is read.
    ///
    /// A run waits for its fallbacks: until they expire with it, another may come, which must not
    /// be for the same people.
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
