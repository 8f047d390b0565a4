package import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func runs(
        began period: RunPeriod, campaign: String?, after last: RunID?, limit: Int
    ) async throws -> [RunRecord] {
        let (since, until) = (
            period.since.map(StoredTime.milliseconds), period.until.map(StoredTime.milliseconds)
        )
        return try await read(isLong: true) { db in
            try db.rows(
                "\(RunRow.selection) \(Self.began)", [campaign, since, until, last?.text, limit]
            ).map(RunRow.record)
        }
    }

    package func peopleTried(_ run: RunID) async throws -> Int {
        try await read(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.tried ?? Self.peopleTried(by: stored, db)
        }
    }

    static func peopleTried(by run: StoredRun, _ db: PostgreSQLConnection) throws -> Int {
        try db.row("SELECT \(people(with: "attempts > 0"))", [run.key])?.int(0) ?? 0
    }

    package func platformOutcomes(_ run: RunID) async throws -> [PlatformOutcomes] {
        try await read(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.platformOutcomes
                ?? Self.platformOutcomes(of: stored, db)
        }
    }

    static func platformOutcomes(
        of run: StoredRun, _ db: PostgreSQLConnection
    ) throws -> [PlatformOutcomes] {
        let recipients = try db.row("SELECT final FROM runs WHERE key = $1", [run.key])?.int(0)
        var found: [Int: OutcomeCounts] = [:]
        for row in try db.rows(byPlatform, [run.key]) {
            var outcomes = OutcomeCounts()
            for (index, outcome) in Outcome.final.enumerated() {
                outcomes[outcome] = try row.int(index + 1)
            }
            found[try row.int(0)] = outcomes
        }
        return try RunPlatform.all(of: run, db).map { platform in
            var outcomes = found[platform.position] ?? OutcomeCounts()
            guard let recipients, run.isBeingStaged || outcomes.total <= recipients else {
                throw DamagedValue()
            }
            outcomes[.notAttempted] = max(0, recipients - outcomes.total)
            return PlatformOutcomes(platform.platform, outcomes)
        }
    }

    package func course(_ run: RunID, steps: Int) async throws -> RunCourse? {
        try await read(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            // Sums have no times.
            guard stored.deliveriesDeleted == nil else { return nil }
            let seconds = try db.rows(Self.bySecond, [stored.key]).map { row in
                (second: try row.int(0), state: try row.int(1), count: try row.int(2))
            }
            guard let first = seconds.map(\.second).min(), let last = seconds.map(\.second).max()
            else { return nil }
            let length = RunCourse.length(from: first, through: last, steps: steps)
            let start = RunCourse.step(of: first, length: length)
            let count = RunCourse.step(of: last, length: length) - start + 1
            var course = RunCourse(
                start: Date(timeIntervalSince1970: Double(start * length)), length: length,
                steps: Array(repeating: OutcomeCounts(), count: count))
            for (second, state, count) in seconds {
                guard let state = DeliveryState(rawValue: state) else { throw DamagedValue() }
                let step = RunCourse.step(of: second, length: length) - start
                course.steps[step][state.outcome] += count
            }
            return course
        }
    }

    private static let began = """
        WHERE ($1::text IS NULL OR campaign = $1) AND ($2::bigint IS NULL OR started >= $2)
            AND ($3::bigint IS NULL OR started < $3)
            AND ($4::text IS NULL
                OR (started, key) < (SELECT l.started, l.key FROM runs l WHERE l.id = $4))
        ORDER BY started DESC, key DESC LIMIT $5
        """

    private static let byPlatform: String = {
        let sums = Outcome.final.map { "count(*) FILTER (WHERE state = \($0.stored))" }
        return """
            SELECT platform, \(sums.joined(separator: ", ")) FROM deliveries
            WHERE run = $1 GROUP BY platform
            """
    }()

    /// One pass over a run's rows, which have far fewer seconds; also correct before 1970.
    private static let bySecond = """
        SELECT (recorded - (recorded % 1000 + 1000) % 1000) / 1000, state, count(*)
        FROM deliveries WHERE run = $1 AND state IN (\(Outcome.sent.stored))
        GROUP BY 1, 2
        """
}
