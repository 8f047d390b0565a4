import CampaignCore
package import FoundationEssentials

extension RelationalStore where Self: UpkeepDriver {
    /// Runs with a fetchable payload, or whose tables are still being read, for example by a
    /// backup, are left for later.
    ///
    /// The next call continues an interrupted one. If another process is deleting, this call does
    /// nothing.
    package func deleteDeliveries(
        ofRunsEndedBy end: Date, at now: Date, isDryRun: Bool
    ) async throws -> DeletedDeliveries {
        try await deleteDeliveries(ofRunsEndedBy: end, at: now, isDryRun: isDryRun, pace: pace)
    }

    func deleteDeliveries(
        ofRunsEndedBy end: Date, at now: Date, isDryRun: Bool, pace: WritePace
    ) async throws -> DeletedDeliveries {
        let (time, limit) = (StoredTime.milliseconds(now), StoredTime.milliseconds(end))
        let due = try await query { db in try DueRun.all(endedBy: limit, at: time, db) }
        var deleted = DeletedDeliveries()
        guard !isDryRun else {
            for run in due { deleted.add(run.recipients) }
            return deleted
        }
        let isBegun = try await query { db in try !DueRun.begun(db).isEmpty }
        guard isBegun || !due.isEmpty,
            // Two simultaneous deletions would leave other writers only half as much time.
            let lock = try await campaignLock.acquire(campaign: DueRun.lock)
        else { return deleted }
        defer { lock.release() }
        // Until now, another process may have been deleting.
        let begun = try await query { db in try DueRun.begun(db) }
        deleted.continued = begun.count
        var pace = pace
        var gone: [Int64] = []
        for run in begun + due {
            try await pace.rest()
            if !run.isBegun {
                guard try await beginDeletion(of: run, at: time) else { continue }
                deleted.add(run.recipients)
            }
            try await deleteRows(of: run.key, pace: &pace)
            guard try await removeTables(of: run.key) else { break }
            gone.append(run.key)
        }
        // Content is deleted first, so that an interrupted call is continued until nothing is left.
        _ = try await purgeUnusedContent(pace: pace)
        try await update { [gone] db in
            for run in gone {
                try db.run("UPDATE run_sums SET is_begun = ?2 WHERE run = ?1", [run, false])
            }
        }
        try await bringLogIn(isEmptied: false)
        return deleted
    }

    /// Replaces a run's deliveries with totals, which are read from then on; returns false if
    /// another process has done so.
    private func beginDeletion(of run: DueRun, at time: Int64) async throws -> Bool {
        let sums = try await query(isLong: true) { db -> RunSums? in
            let stored = try StoredRun(of: run.id, db)
            return stored.deliveriesDeleted == nil ? try RunSums(of: stored, db) : nil
        }
        guard let sums else { return false }
        return try await update { db in
            // Waits for writers of receipts; later writers see that there is nothing to write.
            try db.lock(.receipts, "\(run.key)", isShared: false)
            let stored = try StoredRun(of: run.id, isLocked: true, db)
            guard stored.deliveriesDeleted == nil else { return false }
            try sums.keep(of: run.key, db)
            // After this, damage to the rows being deleted cannot be detected.
            try db.changing(.any, of: run.key) {
                try db.run(
                    """
                    UPDATE runs SET deliveries_deleted = ?2, purged = coalesce(purged, ?2)
                    WHERE key = ?1
                    """, [run.key, time])
            }
            return true
        }
    }

    /// Deletes the rows of a run's people, the last people first, because the remaining ones must
    /// have numbers from 1 without a gap.
    func deleteRows(of run: Int64, pace: inout WritePace) async throws {
        var next: Int? = try await query { db in
            // Tables that belong only to this run are dropped as a whole.
            let tables = db.hasOwnTables(run) ? ["notifications"] : ["notifications", "recipients"]
            return try tables.compactMap { table in
                try db.row("SELECT max(number) FROM \(table) WHERE run = ?1", [run]) {
                    try $0.optionalInt(0)
                } ?? nil
            }.max() ?? 0
        }
        while let last = next {
            next = try await pace.step { batch in
                try await update { db in
                    let rowsOfOne = try Self.rowsOfOne(in: run, db)
                    var last = last
                    let isOver = try batch.parts { rows in
                        let first = max(1, last - max(1, rows / rowsOfOne) + 1)
                        // Shared notifications, whose numbers are below 1, are deleted together
                        // with the last people.
                        try Self.deleteRows(
                            of: run, first == 1 ? NotificationKey.beforeAll : first, last, db)
                        last = first - 1
                        return first == 1
                    }
                    return isOver ? nil : last
                }
            }
        }
    }

    /// The maximum number of rows per person that are deleted one by one.
    private static func rowsOfOne(in run: Int64, _ db: any SQLConnection) throws -> Int {
        guard !db.hasOwnTables(run) else { return 1 }
        let platforms = try db.row("SELECT count(*) FROM run_platforms WHERE run = ?1", [run]) {
            try $0.int(0)
        }
        // In addition to deliveries and telemetry, these are the name, the payload, its id and the
        // receipt.
        return 2 * (platforms ?? 0) + 4
    }
}

extension RelationalStore {
    static func deleteRows(
        of run: Int64, _ first: Int, _ last: Int, _ db: any SQLConnection
    ) throws {
        let isInRange = "run = ?1 AND number BETWEEN ?2 AND ?3"
        try db.run(
            """
            DELETE FROM notification_ids
            WHERE run = ?1 AND id IN (SELECT id FROM notifications WHERE \(isInRange))
            """, [run, first, last])
        guard !db.hasOwnTables(run) else { return }
        let platforms = "platform IN (SELECT position FROM run_platforms WHERE run = ?1)"
        // Recipients are deleted last, because the next call uses them to find what an interrupted
        // call has left.
        for (table, condition) in [
            ("telemetry", "\(isInRange) AND \(platforms)"),
            ("deliveries", "\(isInRange) AND \(platforms)"), ("receipts", isInRange),
            ("notifications", isInRange), ("recipients", isInRange),
        ] {
            try db.run("DELETE FROM \(table) WHERE \(condition)", [run, first, last])
        }
    }
}

/// A run whose deliveries are due for deletion or partly deleted.
struct DueRun: Sendable {
    /// The lock for deleting deliveries, which works like a campaign's lock; no campaign can have
    /// this name.
    static let lock = "(deletion)"

    let key: Int64
    let id: RunID
    let recipients: Int
    /// Whether the run's totals exist, so that its deliveries are no longer read.
    let isBegun: Bool

    private init(_ row: any SQLRow) throws {
        key = try row.int64(0)
        id = RunID(checked: try row.text(1))
        recipients = try row.int(2)
        isBegun = !row.isNull(3)
    }

    /// The ends of runs with deliveries are in an index, so usually no row is read.
    ///
    /// A run is kept until it and its fallbacks expire, because another fallback may follow, which
    /// must not reach the same people.
    static func all(
        endedBy end: Int64, at time: Int64, _ db: any SQLConnection
    ) throws -> [DueRun] {
        let prefix = Occurrence.fallbackPrefix
        return try db.rows(
            """
            SELECT \(columns) FROM runs
            WHERE deliveries_deleted IS NULL AND finished <= ?2
                AND state = '\(RunState.finished.rawValue)'
                AND (expires <= ?1 OR revoked IS NOT NULL
                    OR kind = '\(CampaignKind.alert.rawValue)'
                        AND substr(occurrence, 1, \(prefix.count)) <> '\(prefix)')
            ORDER BY finished, key
            """, [time, end], DueRun.init)
    }

    static func begun(_ db: any SQLConnection) throws -> [DueRun] {
        try db.rows(
            """
            SELECT \(columns) FROM runs JOIN run_sums s ON s.run = runs.key
            WHERE s.is_begun ORDER BY s.run
            """, DueRun.init)
    }

    private static let columns = "key, id, final, deliveries_deleted"
}
