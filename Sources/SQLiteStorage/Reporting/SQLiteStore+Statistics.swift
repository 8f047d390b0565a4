package import CampaignCore
import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    package func runs(
        began period: RunPeriod, campaign: String?, after last: RunID?, limit: Int
    ) async throws -> [RunRecord] {
        try await read { db in
            let statement = try db.cachedStatement(sql: "\(RunRow.selection) \(Self.began)")
            return try Row.fetchAll(
                statement,
                arguments: [
                    campaign, period.since.map(StoredTime.milliseconds),
                    period.until.map(StoredTime.milliseconds), last?.text, limit,
                ]
            ).map(RunRow.record)
        }
    }

    package func peopleTried(_ run: RunID) async throws -> Int {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.tried ?? Self.peopleTried(by: stored, db)
        }
    }

    static func peopleTried(by run: StoredRun, _ db: Database) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: trying), arguments: [run.key]) ?? 0
    }

    package func platformOutcomes(_ run: RunID) async throws -> [PlatformOutcomes] {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.platformOutcomes
                ?? Self.platformOutcomes(of: stored, db)
        }
    }

    static func platformOutcomes(
        of run: StoredRun, _ db: Database
    ) throws -> [PlatformOutcomes] {
        let recipients = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT final FROM runs WHERE key = ?"), arguments: [run.key])
        let query = try NativeStatement(byPlatform, db)
        query.bind(run.key, at: 1)
        var found: [Int: OutcomeCounts] = [:]
        try query.forEachRow { row in
            var outcomes = OutcomeCounts()
            for (index, outcome) in Outcome.final.enumerated() {
                outcomes[outcome] = row.integer(Int32(index) + 1)
            }
            found[row.integer(0)] = outcomes
        }
        return try RunPlatform.all(of: run, db).map { platform in
            var outcomes = found[platform.position] ?? OutcomeCounts()
            guard let recipients, run.isBeingStaged || outcomes.total <= recipients else {
                throw DatabaseError.damaged
            }
            outcomes[.notAttempted] = max(0, recipients - outcomes.total)
            return PlatformOutcomes(platform.platform, outcomes)
        }
    }

    package func course(_ run: RunID, steps: Int) async throws -> RunCourse? {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            // Sums have no times.
            guard stored.deliveriesDeleted == nil else { return nil }
            var bounds: (first: Int, last: Int)?
            let ends = try NativeStatement(Self.ends, db)
            ends.bind(stored.key, at: 1)
            try ends.forEachRow { row in
                if !row.isNull(0) { bounds = (row.integer(0), row.integer(1)) }
            }
            guard let bounds else { return nil }
            let (first, last) = (Self.second(bounds.first), Self.second(bounds.last))
            let length = RunCourse.length(from: first, through: last, steps: steps)
            let start = RunCourse.step(of: first, length: length)
            let count = RunCourse.step(of: last, length: length) - start + 1
            var course = RunCourse(
                start: Date(timeIntervalSince1970: Double(start * length)), length: length,
                steps: Array(repeating: OutcomeCounts(), count: count))
            // Added up here, since a GROUP BY would sort all rows by time first.
            let query = try NativeStatement(Self.overTime, db)
            query.bind(stored.key, at: 1)
            try query.forEachRow { row in
                let step =
                    RunCourse.step(of: Self.second(row.integer(1)), length: length) - start
                guard let state = DeliveryState(rawValue: row.integer(0)),
                    course.steps.indices.contains(step)
                else { throw DatabaseError.damaged }
                course.steps[step][state.outcome] += 1
            }
            return course
        }
    }

    private static func second(_ milliseconds: Int) -> Int {
        RunCourse.step(of: milliseconds, length: 1_000)
    }

    private static let began = """
        WHERE (?1 IS NULL OR campaign = ?1) AND (?2 IS NULL OR started >= ?2)
            AND (?3 IS NULL OR started < ?3)
            AND (?4 IS NULL
                OR (started, key) < (SELECT l.started, l.key FROM runs l WHERE l.id = ?4))
        ORDER BY started DESC, key DESC LIMIT ?5
        """

    /// A person counts on the first platform on which they were tried.
    private static let trying = """
        SELECT count(*) FROM deliveries d
        WHERE d.run = ?1 AND d.attempts > 0
            AND NOT EXISTS (SELECT 1 FROM run_platforms p
                CROSS JOIN deliveries e ON e.run = p.run AND e.platform = p.position
                    AND e.number = d.number
                WHERE p.run = ?1 AND p.position < d.platform AND e.attempts > 0)
        """

    /// One pass over a run's rows, which are ordered by platform.
    private static let byPlatform: String = {
        let sums = Outcome.final.map { "count(*) FILTER (WHERE state = \($0.stored))" }
        return """
            SELECT platform, \(sums.joined(separator: ", ")) FROM deliveries
            WHERE run = ?1 GROUP BY platform
            """
    }()

    private static let ends = """
        SELECT min(recorded), max(recorded) FROM deliveries WHERE run = ?1 AND state IN (\(Outcome.sent.stored))
        """

    private static let overTime = """
        SELECT state, recorded FROM deliveries WHERE run = ?1 AND state IN (\(Outcome.sent.stored))
        """
}
