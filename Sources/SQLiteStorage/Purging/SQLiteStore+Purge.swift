package import CampaignCore
package import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    package func purge(at now: Date, isDryRun: Bool) async throws -> PurgeCounts {
        let time = StoredTime.milliseconds(now)
        if isDryRun { return try await read { db in try Self.purgeable(at: time, db) } }
        let runs = try await read { db in try Self.runsThatAreOver(at: time, db) }
        var pace = WritePace(most: Self.transactionRows)
        var counts = try await purge(runs, at: time, pace: &pace)
        counts += try await purgeTakenBack(at: time, pace: &pace)
        counts.bytes += try await purgeUnusedContent(pace: &pace)
        // The log still has the old pages.
        try await bringLogIn(isEmptied: true)
        return counts
    }

    /// Empties one run after the other; can be cancelled between two transactions.
    func purge(
        _ runs: [Int64], at time: Int64, pace: inout WritePace
    ) async throws -> PurgeCounts {
        var counts = PurgeCounts()
        for run in runs { counts += try await purge(run, at: time, pace: &pace) }
        return counts
    }

    /// Empties a run's notifications a range at a time, and records that it was done.
    private func purge(
        _ run: Int64, at time: Int64, pace: inout WritePace
    ) async throws -> PurgeCounts {
        var counts = PurgeCounts()
        // The few shared ones have numbers below 1.
        var next: Int? = NotificationPlace.beforeAll
        while let first = next {
            let step = try await pace.step { turn in
                try await write { db in
                    try Self.empty(from: first, of: run, at: time, in: turn, db)
                }
            }
            counts += step.freed
            next = step.next
        }
        return counts
    }

    /// Empties a part of a run's notifications; returns what that frees, and where the next part
    /// begins.
    private static func empty(
        from first: Int, of run: Int64, at time: Int64, in turn: WriteTurn, _ db: Database
    ) throws -> (freed: PurgeCounts, next: Int?) {
        var freed = PurgeCounts()
        var next: Int? = first
        try turn.parts { rows in
            guard let first = next else { return true }
            let end = max(first, 0) + rows
            let range: StatementArguments = [run, first, end]
            freed += try counts(
                "WHERE n.run = ? AND n.number >= ? AND n.number < ? AND \(PurgeRule.hasContent)",
                range, db)
            try db.cachedStatement(
                sql: "\(emptying) WHERE run = ? AND number >= ? AND number < ?"
            ).execute(arguments: range)
            next = try Int.fetchOne(
                db.cachedStatement(
                    sql: "SELECT min(number) FROM notifications WHERE run = ? AND number >= ?"),
                arguments: [run, end])
            return next == nil
        }
        // Nothing of it is sent any more, so the digest is not needed.
        try db.execute(
            sql: "UPDATE runs SET notifications_digest = NULL WHERE key = ?", arguments: [run])
        if next == nil {
            try db.execute(
                sql: "UPDATE runs SET purged = ? WHERE key = ?", arguments: [time, run])
        }
        try RowSeal.renew(run: run, db)
        return (freed, next)
    }

    /// Empties notifications that were revoked one by one.
    private func purgeTakenBack(
        at time: Int64, pace: inout WritePace
    ) async throws -> PurgeCounts {
        // Searched once, since each search also sees the emptied ones.
        let found = try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT n.run, n.number FROM notifications n \(Self.takenBack)",
                arguments: [time]
            ).map { row in (run: row[0] as Int64, number: row[1] as Int) }
        }
        var counts = PurgeCounts()
        var next = 0
        while next < found.count {
            let step = try await pace.step { [next] turn in
                try await write { db in
                    var (freed, next) = (PurgeCounts(), next)
                    try turn.parts(of: 1) { _ in
                        freed += try Self.empty(found[next].number, of: found[next].run, db)
                        next += 1
                        return next == found.count
                    }
                    return (freed: freed, next: next)
                }
            }
            counts += step.freed
            next = step.next
        }
        return counts
    }

    /// Empties one notification unless others did meanwhile.
    private static func empty(
        _ number: Int, of run: Int64, _ db: Database
    ) throws -> PurgeCounts {
        let place: StatementArguments = [run, number]
        let freed = try counts(
            "WHERE n.run = ? AND n.number = ? AND \(PurgeRule.hasContent)", place, db)
        guard freed.notifications > 0 else { return freed }
        try RunDigests.changing(notification: number, of: run, db) {
            try db.cachedStatement(sql: "\(emptying) WHERE run = ? AND number = ?")
                .execute(arguments: place)
        }
        return freed
    }

    /// Deletes content without a notification, and returns its bytes.
    func purgeUnusedContent(pace: inout WritePace) async throws -> Int {
        let unused = try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT key, length(bytes) FROM contents c WHERE NOT \(Self.isUsed)"
            ).map { row in (key: row[0] as Int64, bytes: row[1] as Int) }
        }
        var freed = 0
        var next = 0
        while next < unused.count {
            let step = try await pace.step { [next] turn in
                try await write { db in
                    // A run that is being staged may have begun to use it.
                    let delete = try db.cachedStatement(
                        sql: "DELETE FROM contents AS c WHERE key = ? AND NOT \(Self.isUsed)")
                    var (freed, next, size) = (0, next, 0)
                    // Each may be large.
                    try turn.parts(of: 1) { _ in
                        try delete.execute(arguments: [unused[next].key])
                        if db.changesCount == 1 { freed += unused[next].bytes }
                        size += unused[next].bytes
                        next += 1
                        return next == unused.count
                            || size + unused[next].bytes > Self.transactionBytes
                    }
                    return (freed: freed, next: next)
                }
            }
            freed += step.freed
            next = step.next
        }
        return freed
    }

    private static func runsThatAreOver(at time: Int64, _ db: Database) throws -> [Int64] {
        try Int64.fetchAll(db, sql: "SELECT key \(overRuns)", arguments: [time])
    }

    /// The same of runs that ended by a time.
    static func purgeableRuns(
        endedBy end: Int64, at time: Int64, _ db: Database
    ) throws -> [Int64] {
        try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT key FROM runs INDEXED BY runs_with_payloads
                    WHERE purged IS NULL AND finished <= ?2
                        AND state = '\(RunState.finished.rawValue)' AND \(PurgeRule.isRunOver)
                    """),
            arguments: [time, end])
    }

    private static func purgeable(at time: Int64, _ db: Database) throws -> PurgeCounts {
        var counts = try counts(
            "WHERE n.run IN (SELECT key \(overRuns)) AND \(PurgeRule.hasContent)", [time], db)
        counts += try Self.counts(takenBack, [time], db)
        counts.bytes +=
            try Int.fetchOne(db, sql: "SELECT \(Self.unneededBytes)", arguments: [time]) ?? 0
        return counts
    }

    private static func counts(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> PurgeCounts {
        let sum = "SELECT count(*), coalesce(sum(\(PurgeRule.ownBytes)), 0)"
        let statement = try db.cachedStatement(sql: "\(sum) FROM notifications n \(condition)")
        guard let row = try Row.fetchOne(statement, arguments: arguments) else {
            return PurgeCounts()
        }
        return PurgeCounts(notifications: row[0], bytes: row[1])
    }

    private static let emptying =
        "UPDATE notifications SET message = NULL, texts = NULL, content = NULL, sealed = NULL"

    private static let overRuns = "FROM runs WHERE purged IS NULL AND \(PurgeRule.isRunOver)"

    /// Notifications that were revoked alone, after `FROM notifications n`.
    private static let takenBack = """
        INDEXED BY notifications_revoked
        CROSS JOIN runs ON runs.key = n.run
        WHERE \(PurgeRule.isTakenBack) AND NOT \(PurgeRule.isRunOver) AND \(PurgeRule.hasContent)
        """

    private static let isUsed = "EXISTS (SELECT 1 FROM notifications WHERE content = c.key)"

    /// The bytes of content that only purgeable notifications use.
    private static let unneededBytes = """
        coalesce(sum(length(c.bytes)), 0) FROM contents c WHERE NOT EXISTS (
            SELECT 1 FROM notifications n CROSS JOIN runs ON runs.key = n.run
            WHERE n.content = c.key
                AND NOT (\(PurgeRule.isRunOver) OR \(PurgeRule.isTakenBack)))
        """
}

/// Which payloads nobody can fetch any more, as SQL conditions on `runs` and `notifications n`;
/// `?1` is the current time.
private enum PurgeRule {
    /// Every notification of the run: it has expired, or was revoked.
    static let isRunOver =
        "(runs.expires <= ?1 OR (runs.revoked IS NOT NULL AND \(isUnneeded)))"
    /// One notification alone, which was revoked.
    static let isTakenBack = "(n.revoked IS NOT NULL AND \(isUnneeded))"
    /// Whether there is anything to delete.
    static let hasContent = """
        (n.message IS NOT NULL OR n.texts IS NOT NULL OR n.content IS NOT NULL
            OR n.sealed IS NOT NULL)
        """
    /// The bytes in a notification's own row, without those that encryption adds.
    static let ownBytes = """
        coalesce(length(n.sealed) - \(PayloadCipher.addedBytes), 0)
            + coalesce(length(CAST(n.message AS BLOB)), 0) + coalesce(length(n.texts), 0)
        """

    /// A visible push contains the message, which a run in progress still needs.
    private static let isUnneeded = """
        (runs.kind <> '\(CampaignKind.alert.rawValue)'
            OR runs.state = '\(RunState.finished.rawValue)')
        """
}
