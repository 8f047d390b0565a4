import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
package import Storage

extension PostgreSQLStore {
    /// The lock for deleting deliveries, like a campaign's; no campaign has such a name.
    static let deletionLock = "(deletion)"
    /// How often, and how many times, to check whether readers of a run have ended.
    private static let pause = Duration.milliseconds(50)
    private static let mostLooks = 100

    /// Deletes the deliveries of old runs and all else about single people in them, for good; runs
    /// and sums stay.
    ///
    /// A run with a fetchable payload is left for later. An interrupted call is continued. A large
    /// run's partitions are dropped, and a small one's rows deleted some thousands at a time, so
    /// users of other runs do not wait. If another process is deleting, this call does nothing. A
    /// run that somebody still reads, such as a backup, is left to the next call.
    package func deleteDeliveries(
        ofRunsEndedBy end: Date, at now: Date, isDryRun: Bool
    ) async throws -> DeletedDeliveries {
        let (time, limit) = (StoredTime.milliseconds(now), StoredTime.milliseconds(end))
        let due = try await read { db in try DueRun.all(endedBy: limit, at: time, db) }
        var deleted = DeletedDeliveries()
        guard !isDryRun else {
            for run in due { deleted.add(run.recipients) }
            return deleted
        }
        let isBegun = try await read { db in try !DueRun.begun(db).isEmpty }
        guard isBegun || !due.isEmpty,
            // Only one partition of a table can be detached at a time.
            let lock = try await campaignLock.acquire(campaign: Self.deletionLock)
        else { return deleted }
        defer { lock.release() }
        // Another host may have been deleting until now.
        let begun = try await read { db in try DueRun.begun(db) }
        deleted.continued = begun.count
        var gone: [Int64] = []
        var isInUse = false
        for run in begun + due where !isInUse {
            try Task.checkCancellation()
            if !run.isBegun {
                guard try await beginDeletion(of: run, at: time) else { continue }
                deleted.add(run.recipients)
            }
            isInUse = try await !deleteRows(of: run)
            if !isInUse { gone.append(run.key) }
        }
        // Content first, so that an interrupted call is continued until nothing is left.
        _ = try await purgeUnusedContent()
        try await write { [gone] db in
            _ = try db.execute(
                "UPDATE run_sums SET is_begun = false WHERE run = ANY($1)", [gone])
        }
        return deleted
    }

    /// Replaces a run's deliveries by sums, so that nobody reads them any more; false: another
    /// process was faster.
    private func beginDeletion(of run: DueRun, at time: Int64) async throws -> Bool {
        let sums = try await read(isLong: true) { db -> RunSums? in
            let stored = try StoredRun(of: run.id, db)
            guard stored.deliveriesDeleted == nil else { return nil }
            return try RunSums(of: stored, db)
        }
        guard let sums else { return false }
        return try await write { db in
            // Writers of receipts are waited for, and then see that there is nothing to write.
            try TransactionLock.receipts.take(run.key, db)
            let stored = try StoredRun(of: run.id, isLocked: true, db)
            guard stored.deliveriesDeleted == nil else { return false }
            try sums.keep(of: run.key, db)
            _ = try db.execute(
                """
                UPDATE runs SET deliveries_deleted = $2, purged = coalesce(purged, $2)
                WHERE key = $1
                """, [run.key, time])
            return true
        }
    }

    /// Deletes all rows of a run's people; false: somebody still uses them.
    private func deleteRows(of run: DueRun) async throws -> Bool {
        let (last, step) = try await read { db in
            let platforms =
                try db.row("SELECT count(*) FROM run_platforms WHERE run = $1", [run.key])?.int(0)
                ?? 0
            // Besides deliveries and telemetry: the name, the payload, its id and the receipt.
            let rows = run.hasPartitions ? 1 : 2 * platforms + 4
            return (
                try db.row(Self.lastNumber(run), [run.key])?.optionalInt(0) ?? 0,
                max(1, Self.transactionRows / rows)
            )
        }
        var first = NotificationPlace.beforeAll
        while first <= last {
            try Task.checkCancellation()
            let numbers = first...(max(first, 1) + step - 1)
            try await write { db in
                try NotificationIndex.clear(run: run.key, numbers: numbers, db)
                guard !run.hasPartitions else { return }
                for statement in Self.clearing {
                    try db.execute(
                        statement, [run.key, numbers.lowerBound, numbers.upperBound])
                }
            }
            first = numbers.upperBound + 1
        }
        if run.hasPartitions, try await !removePartitions(of: run.key) { return false }
        try await write { db in
            _ = try db.row("SELECT 1 FROM runs WHERE key = $1 FOR UPDATE", [run.key])
            for table in ["revoked_notifications", "run_contents", "claimed_pages", "run_members"] {
                try db.execute("DELETE FROM \(table) WHERE run = $1", [run.key])
            }
        }
        return true
    }

    /// Drops a run's partitions once nobody reads them; false: somebody goes on reading.
    private func removePartitions(of run: Int64) async throws -> Bool {
        let readers = try await withoutTransaction { db in try RunReaders(db) }
        var looks = 0
        while try await !withoutTransaction({ db in try readers.areOver(db) }) {
            looks += 1
            guard looks < Self.mostLooks else { return false }
            try await Task.sleep(for: Self.pause)
        }
        do {
            try await withoutTransaction { db in try RunPartitions.remove(of: run, db) }
            return true
        } catch {
            guard case StoreError.locked = error else { throw error }
            return false
        }
    }

    /// The greatest number of anybody whose rows are deleted one by one.
    private static func lastNumber(_ run: DueRun) -> String {
        let tables = ["notifications"] + (run.hasPartitions ? [] : ["recipients"])
        let numbers = tables.map { "(SELECT max(number) FROM \($0) WHERE run = $1)" }
        return "SELECT greatest(0, \(numbers.joined(separator: ", ")))"
    }

    private static let ofPlatforms = """
        WHERE run = $1 AND platform IN (SELECT position FROM run_platforms WHERE run = $1)
            AND number BETWEEN $2 AND $3
        """

    /// Recipients last, by which the remains of an interrupted call are found.
    private static let clearing = [
        "DELETE FROM telemetry \(ofPlatforms)", "DELETE FROM deliveries \(ofPlatforms)",
        "DELETE FROM receipts WHERE run = $1 AND number BETWEEN $2 AND $3",
        "DELETE FROM notifications WHERE run = $1 AND number BETWEEN $2 AND $3",
        "DELETE FROM recipients WHERE run = $1 AND number BETWEEN $2 AND $3",
    ]
}

/// A run whose deliveries are to be deleted, or are half deleted.
private struct DueRun {
    let key: Int64
    let id: RunID
    let recipients: Int
    let hasPartitions: Bool
    /// Whether its sums exist, and its deliveries are no longer read.
    let isBegun: Bool

    private init(_ row: PostgreSQLRow) throws {
        key = try row.int64(0)
        id = RunID(checked: try row.text(1))
        recipients = try row.int(2)
        hasPartitions = try row.bool(3)
        isBegun = !row.isNull(4)
    }

    static func all(
        endedBy end: Int64, at time: Int64, _ db: PostgreSQLConnection
    ) throws -> [DueRun] {
        try db.rows(due, [time, end]).map { try DueRun($0) }
    }

    static func begun(_ db: PostgreSQLConnection) throws -> [DueRun] {
        try db.rows(
            """
            SELECT \(columns) FROM runs JOIN run_sums s ON s.run = runs.key
            WHERE s.is_begun ORDER BY key
            """
        ).map { try DueRun($0) }
    }

    private static let columns = "key, id, final, has_partitions, deliveries_deleted"

    /// A run waits for its fallbacks: until they expire with it, another may come, which must not
    /// be for the same people.
    private static let due = """
        SELECT \(columns) FROM runs
        WHERE deliveries_deleted IS NULL AND finished <= $2
            AND state = '\(RunState.finished.rawValue)'
            AND (expires <= $1 OR revoked IS NOT NULL
                OR kind = '\(CampaignKind.alert.rawValue)'
                    AND NOT starts_with(occurrence, '\(Occurrence.fallbackPrefix)'))
        ORDER BY finished, key
        """
}
