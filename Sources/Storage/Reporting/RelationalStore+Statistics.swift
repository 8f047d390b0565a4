package import CampaignCore
import FoundationEssentials

extension RelationalStore {
    package func peopleTried(_ run: RunID) async throws -> Int {
        try await query(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.tried ?? stored.peopleTried(db)
        }
    }

    package func platformOutcomes(_ run: RunID) async throws -> [PlatformOutcomes] {
        try await query(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.platformOutcomes
                ?? stored.platformOutcomes(db)
        }
    }

    package func course(_ run: RunID, steps: Int) async throws -> RunCourse? {
        try await query(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            // The totals do not contain times.
            guard stored.deliveriesDeleted == nil else { return nil }
            let seconds = try db.rows(StoredRun.bySecond, [stored.key]) { row in
                (second: try row.int(0), outcome: try row.state(1).outcome, count: try row.int(2))
            }
            guard let first = seconds.map(\.second).min(), let last = seconds.map(\.second).max()
            else { return nil }
            let length = RunCourse.length(from: first, through: last, steps: steps)
            let start = RunCourse.step(of: first, length: length)
            let count = RunCourse.step(of: last, length: length) - start + 1
            var course = RunCourse(
                start: Date(timeIntervalSince1970: Double(start * length)), length: length,
                steps: Array(repeating: OutcomeCounts(), count: count))
            for (second, outcome, count) in seconds {
                let step = RunCourse.step(of: second, length: length) - start
                course.steps[step][outcome] += count
            }
            return course
        }
    }

    package func reach(_ run: RunID) async throws -> Reach {
        try await query(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.reach ?? stored.reach(db)
        }
    }
}

/// Statements that read a whole run.
extension StoredRun {
    func peopleTried(_ db: any SQLConnection) throws -> Int {
        try db.row("SELECT \(Self.people(with: "attempts > 0"))", [key]) { try $0.int(0) } ?? 0
    }

    func platformOutcomes(_ db: any SQLConnection) throws -> [PlatformOutcomes] {
        let recipients = try db.row("SELECT final FROM runs WHERE key = ?1", [key]) {
            try $0.int(0)
        }
        let counted = try db.rows(Self.byPlatform, [key]) { row in
            var outcomes = OutcomeCounts()
            for (index, outcome) in Outcome.final.enumerated() {
                outcomes[outcome] = try row.int(index + 1)
            }
            return (position: try row.int(0), outcomes: outcomes)
        }
        return try RunPlatform.all(of: self, db).map { platform in
            var outcomes =
                counted.first { $0.position == platform.position }?.outcomes ?? OutcomeCounts()
            guard let recipients, isBeingStaged || outcomes.total <= recipients else {
                throw DamagedValue()
            }
            outcomes[.notAttempted] = max(0, recipients - outcomes.total)
            return PlatformOutcomes(platform.platform, outcomes)
        }
    }

    func reach(_ db: any SQLConnection) throws -> Reach {
        try db.row(Self.reaching, [key]) { row in
            Reach(accepted: try row.int(0), fetched: try row.int(1), read: try row.int(2))
        } ?? Reach()
    }

    /// How many people of a run have a delivery that meets a condition, on any platform.
    ///
    /// With one platform, each delivery has a different person, so no sorting is needed.
    private static func people(with condition: String) -> String {
        """
        CASE WHEN (SELECT count(*) FROM run_platforms WHERE run = ?1) = 1
            THEN (SELECT count(*) FROM deliveries WHERE run = ?1 AND \(condition))
            ELSE (SELECT count(DISTINCT number) FROM deliveries WHERE run = ?1 AND \(condition))
        END
        """
    }

    private static let byPlatform: String = {
        let sums = Outcome.final.map { "count(*) FILTER (WHERE state = \($0.stored))" }
        return """
            SELECT platform, \(sums.joined(separator: ", ")) FROM deliveries
            WHERE run = ?1 GROUP BY platform
            """
    }()

    /// A run's rows contain far fewer distinct seconds than milliseconds; the rounding is also
    /// correct before 1970.
    fileprivate static let bySecond = """
        SELECT (recorded - (recorded % 1000 + 1000) % 1000) / 1000, state, count(*)
        FROM deliveries WHERE run = ?1 AND state IN (\(Outcome.sent.stored))
        GROUP BY 1, 2
        """

    private static let reaching = """
        SELECT \(people(with: "state = \(Outcome.accepted.stored)")),
            count(fetched), count(read)
        FROM receipts WHERE run = ?1
        """
}
