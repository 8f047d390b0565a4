package import CampaignCore
package import FoundationEssentials

extension RelationalStore where Self: UpkeepDriver {
    package func purge(at now: Date, isDryRun: Bool) async throws -> PurgeCounts {
        let time = StoredTime.milliseconds(now)
        let runs = try await purgeable([time]) { _ in
            "purged IS NULL AND \(PurgeRule.isRunOver)"
        }
        let partly = try await purgeable([time], PurgeRule.isPartlyRevoked)
        guard !isDryRun else {
            var counts = try await size(of: runs) { _ in Self.isInRange }
            counts += try await size(of: partly, Self.isRevokedAlone)
            counts.bytes += try await unneededBytes(at: time)
            return counts
        }
        var pace = pace
        var counts = try await purge(runs, at: time, pace: &pace)
        for run in partly {
            counts += try await step(through: run, &pace) { first, batch, db in
                try Self.emptyRevoked(from: first, of: run, in: batch, db)
            }
        }
        counts.bytes += try await purgeUnusedContent(pace: pace)
        try await bringLogIn(isEmptied: true)
        return counts
    }

    package func purgePayloads(ofRunsEndedBy end: Date, at now: Date) async throws -> PurgeCounts {
        let (time, limit) = (StoredTime.milliseconds(now), StoredTime.milliseconds(end))
        let runs = try await purgeable([time, limit]) { _ in
            """
            purged IS NULL AND finished <= ?2 AND state = '\(RunState.finished.rawValue)'
                AND \(PurgeRule.isRunOver)
            """
        }
        guard !runs.isEmpty else { return PurgeCounts() }
        var pace = pace
        var counts = try await purge(runs, at: time, pace: &pace)
        counts.bytes += try await purgeUnusedContent(pace: pace)
        try await bringLogIn(isEmptied: false)
        return counts
    }

    /// Empties the payloads of runs, one run at a time; can be cancelled between two transactions.
    func purge(
        _ runs: [Int64], at time: Int64, pace: inout WritePace
    ) async throws -> PurgeCounts {
        var counts = PurgeCounts()
        for run in runs {
            counts += try await step(through: run, &pace) { first, batch, db in
                try Self.empty(from: first, of: run, at: time, in: batch, db)
            }
        }
        return counts
    }

    private func purgeable(
        _ values: [any SQLBindable], _ condition: @escaping @Sendable (SQLDialect) -> String
    ) async throws -> [Int64] {
        try await query(isLong: true) { db in
            // The runs are sorted here, because ORDER BY would keep SQLite from using the index of
            // ended runs.
            try db.rows("SELECT key FROM runs WHERE \(condition(db.dialect))", values) {
                try $0.int64(0)
            }.sorted()
        }
    }

    /// Goes through a run's notifications; `body` returns what it freed and where the next
    /// transaction continues.
    private func step(
        through run: Int64, _ pace: inout WritePace,
        _ body:
            @escaping @Sendable (_ first: Int, WriteBatch, any SQLConnection) throws ->
            (freed: PurgeCounts, next: Int?)
    ) async throws -> PurgeCounts {
        var counts = PurgeCounts()
        var next: Int? = NotificationKey.beforeAll
        while let first = next {
            let step = try await pace.step { batch in
                try await update { db in
                    // Waits for processes that stage or purge the run.
                    try db.hold(run)
                    return try body(first, batch, db)
                }
            }
            counts += step.freed
            next = step.next
        }
        return counts
    }

    private static func empty(
        from first: Int, of run: Int64, at time: Int64, in batch: WriteBatch,
        _ db: any SQLConnection
    ) throws -> (freed: PurgeCounts, next: Int?) {
        var (freed, next) = (PurgeCounts(), first as Int?)
        try db.changing(.anyNotification, of: run) {
            try batch.parts { rows in
                guard let first = next else { return true }
                // The few shared notifications have numbers below 1.
                let last = max(first, 0) + rows
                freed += try empty(isInRange, [run, first, last], db)
                next =
                    try db.row(
                        "SELECT min(number) FROM notifications WHERE run = ?1 AND number > ?2",
                        [run, last]
                    ) { try $0.optionalInt(0) } ?? nil
                return next == nil
            }
        }
        if next == nil {
            try db.run("UPDATE runs SET purged = ?2 WHERE key = ?1", [run, time])
            try db.noteEmptied(NotificationKey.beforeAll...Int.max, of: run, isLast: true)
        }
        return (freed, next)
    }

    private static func emptyRevoked(
        from first: Int, of run: Int64, in batch: WriteBatch, _ db: any SQLConnection
    ) throws -> (freed: PurgeCounts, next: Int?) {
        var (freed, next) = (PurgeCounts(), first as Int?)
        try batch.parts { rows in
            guard let first = next else { return true }
            let numbers = try db.rows(
                """
                SELECT v.number FROM \(db.dialect.revokedNotifications) v
                WHERE v.run = ?1 AND v.number >= ?2 ORDER BY v.number LIMIT ?3
                """, [run, first, rows]
            ) { try $0.int(0) }
            next = numbers.count < rows ? nil : numbers.last.map { $0 + 1 }
            let range = first...(numbers.last ?? first)
            try db.changing(.notifications(numbers), of: run) {
                freed += try empty(
                    isRevokedAlone(db.dialect), [run, range.lowerBound, range.upperBound], db)
            }
            try db.noteEmptied(range, of: run, isLast: next == nil)
            return next == nil
        }
        return (freed, next)
    }

    /// Notifications of the run `?1` with numbers from `?2` to `?3`.
    private static var isInRange: String { "n.run = ?1 AND n.number BETWEEN ?2 AND ?3" }

    /// Those notifications that were revoked individually.
    private static func isRevokedAlone(_ dialect: SQLDialect) -> String {
        """
        n.run = ?1 AND n.revoked IS NOT NULL AND n.number IN (
            SELECT v.number FROM \(dialect.revokedNotifications) v
            WHERE v.run = ?1 AND v.number BETWEEN ?2 AND ?3)
        """
    }

    private static func empty(
        _ condition: String, _ values: [any SQLBindable], _ db: any SQLConnection
    ) throws -> PurgeCounts {
        let condition = "\(condition) AND \(PurgeRule.hasContent)"
        let freed = try counts(condition, values, db)
        guard freed.notifications > 0 else { return freed }
        try db.run(
            """
            UPDATE notifications AS n
            SET message = NULL, texts = NULL, content = NULL, sealed = NULL WHERE \(condition)
            """, values)
        return freed
    }

    /// The number of notifications, and the bytes in their rows without the overhead of encryption.
    private static func counts(
        _ condition: String, _ values: [any SQLBindable], _ db: any SQLConnection
    ) throws -> PurgeCounts {
        let added = PayloadCipher.addedBytes(named: "?\(values.count + 1)")
        return try db.row(
            """
            SELECT count(*), CAST(coalesce(sum(coalesce(length(n.sealed) - \(added), 0)
                + coalesce(\(db.dialect.messageBytes), 0) + coalesce(length(n.texts), 0)), 0)
                AS bigint)
            FROM notifications n WHERE \(condition)
            """, values + [[PayloadCipher.namedVersion]]
        ) { row in
            PurgeCounts(notifications: try row.int(0), bytes: try row.int(1))
        } ?? PurgeCounts()
    }

    /// Deletes content without a notification, and returns its bytes.
    func purgeUnusedContent(pace: WritePace? = nil) async throws -> Int {
        var pace = pace ?? self.pace
        let unused = try await query(isLong: true) { db in
            try db.rows(
                "SELECT key, length(bytes) FROM contents c WHERE \(Self.isUnused(db)) ORDER BY key"
            ) { (key: try $0.int64(0), bytes: try $0.int(1)) }
        }
        var (freed, next) = (0, 0)
        while next < unused.count {
            let most = pace.mostBytes
            let step = try await pace.step { [next] batch in
                try await update { db in
                    var (freed, next, size) = (0, next, 0)
                    // Each item of content may be large.
                    try batch.parts(of: 1) { _ in
                        let content = unused[next]
                        if try Self.deleteUnused(content.key, db) { freed += content.bytes }
                        size += content.bytes
                        next += 1
                        return next == unused.count || size + unused[next].bytes > most
                    }
                    return (freed: freed, next: next)
                }
            }
            freed += step.freed
            next = step.next
        }
        return freed
    }

    private static func deleteUnused(_ key: Int64, _ db: any SQLConnection) throws -> Bool {
        // The content is locked first, because a run that is being staged may just have begun to
        // use it.
        let lock = db.dialect.forUpdate
        guard try db.hasRow("SELECT 1 FROM contents WHERE key = ?1 \(lock)", [key]) else {
            return false
        }
        return try db.run(
            "DELETE FROM contents AS c WHERE key = ?1 AND \(isUnused(db))", [key]) == 1
    }

    private static func isUnused(_ db: any SQLConnection) -> String {
        "NOT EXISTS (SELECT 1 FROM \(db.dialect.runContents) k WHERE k.content = c.key)"
    }

    private func size(
        of runs: [Int64], _ condition: @escaping @Sendable (SQLDialect) -> String
    ) async throws -> PurgeCounts {
        var counts = PurgeCounts()
        for runs in try await query({ RunsAtOnce.all(runs, $0) }) {
            counts += try await query(isLong: true) { db in
                try runs.reduce(into: PurgeCounts()) { counts, run in
                    counts += try Self.counts(
                        "\(condition(db.dialect)) AND \(PurgeRule.hasContent)",
                        [run, NotificationKey.beforeAll, Int.max], db)
                }
            }
        }
        return counts
    }

    /// The number of bytes of content that only purgeable notifications use.
    private func unneededBytes(at time: Int64) async throws -> Int {
        let candidates = try await query(isLong: true) { db in
            try db.rows(
                """
                SELECT c.key, length(c.bytes) FROM contents c WHERE NOT EXISTS (
                    SELECT 1 FROM \(db.dialect.runContents) k JOIN runs ON runs.key = k.run
                    WHERE k.content = c.key AND NOT \(PurgeRule.isRunOver)
                        AND NOT \(PurgeRule.isPartlyRevoked(db.dialect)))
                """, [time]
            ) { (key: try $0.int64(0), bytes: try $0.int(1)) }
        }
        var sum = 0
        for content in candidates {
            let isNeeded = try await query(isLong: true) { db in
                try db.rows(
                    """
                    SELECT key FROM runs WHERE \(PurgeRule.isPartlyRevoked(db.dialect)) AND key IN
                        (SELECT k.run FROM \(db.dialect.runContents) k WHERE k.content = ?2)
                    """, [time, content.key]
                ) { try $0.int64(0) }.contains { run in
                    try db.hasRow(
                        """
                        SELECT 1 FROM notifications
                        WHERE run = ?1 AND content = ?2 AND revoked IS NULL LIMIT 1
                        """, [run, content.key])
                }
            }
            if !isNeeded { sum += content.bytes }
        }
        return sum
    }
}
