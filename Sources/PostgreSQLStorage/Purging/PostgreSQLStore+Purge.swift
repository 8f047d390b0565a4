package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    /// The most bytes of content that one transaction deletes, beyond its first value.
    private static let contentBytes = 16_777_216

    /// Old rows stay in the server's files until it vacuums them, and in its log and copies as long
    /// as they are kept.
    package func purge(at now: Date, isDryRun: Bool) async throws -> PurgeCounts {
        let time = StoredTime.milliseconds(now)
        if isDryRun { return try await purgeable(at: time) }
        var counts = PurgeCounts()
        let runs = try await read(isLong: true) { db in
            try Self.runs("purged IS NULL AND \(PurgeRule.isRunOver)", [time], db)
        }
        for run in runs { counts += try await purge(run.key, at: time) }
        counts += try await purgeTakenBack(at: time)
        counts.bytes += try await purgeUnusedContent()
        return counts
    }

    /// Deletes payloads of old runs that nobody can fetch any more, for good, and returns what was
    /// freed.
    package func purgePayloads(ofRunsEndedBy end: Date, at now: Date) async throws -> PurgeCounts {
        let (time, limit) = (StoredTime.milliseconds(now), StoredTime.milliseconds(end))
        let runs = try await read(isLong: true) { db in
            try Self.runs(
                """
                purged IS NULL AND finished <= $2 AND state = '\(RunState.finished.rawValue)'
                    AND \(PurgeRule.isRunOver)
                """, [time, limit], db)
        }
        var counts = PurgeCounts()
        guard !runs.isEmpty else { return counts }
        for run in runs { counts += try await purge(run.key, at: time) }
        counts.bytes += try await purgeUnusedContent()
        return counts
    }

    /// Deletes content without a notification, and returns its bytes.
    func purgeUnusedContent() async throws -> Int {
        let unused = try await read(isLong: true) { db in try ContentTable.unused(db) }
        var freed = 0
        var rest = unused[...]
        while let first = rest.first {
            try Task.checkCancellation()
            var (part, size) = ([first.key], first.bytes)
            rest = rest.dropFirst()
            while let next = rest.first, part.count < Self.transactionRows,
                size + next.bytes <= Self.contentBytes
            {
                part.append(next.key)
                size += next.bytes
                rest = rest.dropFirst()
            }
            freed += try await write { [part] db in try ContentTable.delete(part, db) }
        }
        return freed
    }

    /// Empties a run's notifications a range at a time, and records that it was done.
    private func purge(_ run: Int64, at time: Int64) async throws -> PurgeCounts {
        var counts = PurgeCounts()
        // The few shared ones have numbers below 1.
        var next: Int? = NotificationPlace.beforeAll
        while let first = next {
            try Task.checkCancellation()
            let step = try await write { db in
                try Self.empty(
                    first...(max(first, 0) + Self.transactionRows), of: run, at: time, db)
            }
            counts += step.freed
            next = step.next
        }
        return counts
    }

    /// Empties a range of a run's notifications, after waiting for those who stage or purge it.
    ///
    /// Returns what that frees, and where the next range begins.
    private static func empty(
        _ numbers: ClosedRange<Int>, of run: Int64, at time: Int64, _ db: PostgreSQLConnection
    ) throws -> (freed: PurgeCounts, next: Int?) {
        _ = try db.row("SELECT 1 FROM runs WHERE key = $1 FOR UPDATE", [run])
        let range: [any PostgreSQLBindable] = [run, numbers.lowerBound, numbers.upperBound]
        let condition = "n.run = $1 AND n.number BETWEEN $2 AND $3 AND \(PurgeRule.hasContent)"
        let freed = try counts(condition, range, db)
        if freed.notifications > 0 {
            try db.execute("\(PurgeRule.emptying) WHERE \(condition)", range)
        }
        let next = try db.row(
            "SELECT min(number) FROM notifications WHERE run = $1 AND number > $2",
            [run, numbers.upperBound])?.optionalInt(0)
        if next == nil {
            try db.execute("UPDATE runs SET purged = $2 WHERE key = $1", [run, time])
            try db.execute("DELETE FROM revoked_notifications WHERE run = $1", [run])
            try ContentTable.release(of: run, db)
        }
        return (freed, next)
    }

    /// Empties notifications that were revoked one by one.
    private func purgeTakenBack(at time: Int64) async throws -> PurgeCounts {
        var counts = PurgeCounts()
        let runs = try await read(isLong: true) { db in try Self.runsWithTakenBack(at: time, db) }
        for run in runs {
            var isOver = false
            while !isOver {
                try Task.checkCancellation()
                let step = try await write { db in try Self.emptyTakenBack(of: run.key, db) }
                counts += step.freed
                isOver = step.isOver
            }
        }
        return counts
    }

    /// Empties some of a run's notifications that were revoked one by one.
    private static func emptyTakenBack(
        of run: Int64, _ db: PostgreSQLConnection
    ) throws -> (freed: PurgeCounts, isOver: Bool) {
        _ = try db.row("SELECT 1 FROM runs WHERE key = $1 FOR UPDATE", [run])
        let numbers = try db.rows(
            """
            DELETE FROM revoked_notifications WHERE run = $1 AND number IN
                (SELECT number FROM revoked_notifications WHERE run = $1 ORDER BY number LIMIT $2)
            RETURNING number
            """, [run, transactionRows]
        ).map { try $0.int(0) }
        let values: [any PostgreSQLBindable] = [run, numbers]
        let condition = """
            n.run = $1 AND n.number = ANY($2::bigint[]) AND n.revoked IS NOT NULL
                AND \(PurgeRule.hasContent)
            """
        let freed = try counts(condition, values, db)
        if freed.notifications > 0 {
            try db.execute("\(PurgeRule.emptying) WHERE \(condition)", values)
        }
        let isOver = numbers.count < transactionRows
        if isOver { try ContentTable.release(of: run, db) }
        return (freed, isOver)
    }

    /// Runs in progress with single notifications that were revoked and can be emptied.
    private static func runsWithTakenBack(
        at time: Int64, _ db: PostgreSQLConnection
    ) throws -> [RunSteps.Run] {
        try runs(
            """
            EXISTS (SELECT 1 FROM revoked_notifications v WHERE v.run = runs.key)
                AND \(PurgeRule.isUnneeded) AND NOT \(PurgeRule.isRunOver)
            """, [time], db)
    }

    private static func runs(
        _ condition: String, _ values: [any PostgreSQLBindable], _ db: PostgreSQLConnection
    ) throws -> [RunSteps.Run] {
        try db.rows(
            "SELECT key, has_partitions FROM runs WHERE \(condition) ORDER BY key", values
        ).map { row in
            RunSteps.Run(key: try row.int64(0), hasPartitions: try row.bool(1))
        }
    }

    private static func counts(
        _ condition: String, _ values: [any PostgreSQLBindable], _ db: PostgreSQLConnection
    ) throws -> PurgeCounts {
        guard
            let row = try db.row(
                "SELECT \(PurgeRule.counts) FROM notifications n WHERE \(condition)", values)
        else { return PurgeCounts() }
        return PurgeCounts(notifications: try row.int(0), bytes: try row.int(1))
    }
}

// MARK: Dry runs

extension PostgreSQLStore {
    private func purgeable(at time: Int64) async throws -> PurgeCounts {
        var counts = PurgeCounts()
        let (over, partly) = try await read(isLong: true) { db in
            (
                try Self.runs("purged IS NULL AND \(PurgeRule.isRunOver)", [time], db),
                try Self.runsWithTakenBack(at: time, db)
            )
        }
        // Step by step: one statement would lock the partitions of all runs.
        var steps = RunSteps(over)
        while true {
            let step = steps.nextOfOnePartition()
            if step.isEmpty { break }
            counts += try await read(isLong: true) { db in
                try Self.counts(
                    "n.run = ANY($1::bigint[]) AND \(PurgeRule.hasContent)",
                    [step], db)
            }
        }
        for run in partly {
            counts += try await read(isLong: true) { db in
                try Self.counts(Self.takenBack, [run.key], db)
            }
        }
        counts.bytes += try await unneededBytes(at: time, partly: partly)
        return counts
    }

    /// The bytes of content that only purgeable notifications use.
    private func unneededBytes(
        at time: Int64, partly: [RunSteps.Run]
    ) async throws -> Int {
        let keys = partly.map(\.key)
        let candidates = try await read(isLong: true) { db in
            try db.rows(Self.unneeded, [time, keys]).map { row in
                (key: try row.int64(0), bytes: try row.int(1))
            }
        }
        var sum = 0
        for content in candidates {
            let isNeeded = try await read(isLong: true) { db in
                let runs = try db.rows(
                    "SELECT run FROM run_contents WHERE content = $1 AND run = ANY($2::bigint[])",
                    [content.key, keys])
                return try runs.contains { run in
                    try db.row(
                        """
                        SELECT 1 FROM notifications
                        WHERE run = $1 AND content = $2 AND revoked IS NULL LIMIT 1
                        """, [try run.int64(0), content.key]) != nil
                }
            }
            if !isNeeded { sum += content.bytes }
        }
        return sum
    }

    private static let takenBack = """
        n.run = $1 AND n.revoked IS NOT NULL AND \(PurgeRule.hasContent)
            AND EXISTS (SELECT 1 FROM revoked_notifications v
                WHERE v.run = $1 AND v.number = n.number)
        """

    /// Content that no run needs except for single notifications that can be emptied.
    private static let unneeded = """
        SELECT c.key, length(c.bytes) FROM contents c
        WHERE NOT EXISTS (
            SELECT 1 FROM run_contents k JOIN runs ON runs.key = k.run
            WHERE k.content = c.key AND NOT \(PurgeRule.isRunOver)
                AND NOT k.run = ANY($2::bigint[]))
        """
}
