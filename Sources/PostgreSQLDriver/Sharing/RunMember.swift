import CampaignCore
import PostgreSQLClient
import Storage

/// A process that takes part in a run, as a row of `run_members`.
struct RunMember {
    let worker: RunWorker
    /// The process's share of the run's rate; nil if none was granted yet.
    let rate: Double?
    /// Whether the process's lease is valid.
    let isAlive: Bool

    /// The members of a run, in the order of joining.
    static func all(of run: Int64, _ db: PostgreSQLConnection) throws -> [RunMember] {
        try db.rows(
            """
            SELECT member, host, process, version, \(milliseconds("joined")),
                \(milliseconds("seen")), requests, report, rate, \(isAlive)
            FROM run_members m WHERE run = $1 ORDER BY joined, member
            """, [run]
        ).map { row in
            RunMember(
                worker: RunWorker(
                    id: try row.int64(0),
                    process: WorkerProcess(
                        host: StoredText.decode(try row.text(1)), number: try row.int(2),
                        version: StoredText.decode(try row.text(3))),
                    joined: StoredTime.date(try row.int64(4)),
                    seen: StoredTime.date(try row.int64(5)),
                    report: try StoredReport.report(row.optionalText(7), requests: row.int(6))),
                rate: try row.optionalDouble(8), isAlive: try row.bool(9))
        }
    }

    /// Converts a time on the server's clock to the format that other tables use.
    static func milliseconds(_ time: String) -> String {
        "(extract(epoch FROM \(time)) * 1000)::bigint"
    }

    /// The condition that the lease of a row `m` of `run_members` is valid.
    static let isAlive = "m.until >= clock_timestamp()"

    /// Whether any process takes part in a campaign's runs; the condition is on rows `m` of
    /// `run_members`.
    static func exist(
        in campaign: String, where condition: String = "true", _ db: PostgreSQLConnection
    ) throws -> Bool {
        try db.row(
            """
            SELECT 1 FROM run_members m JOIN runs r ON r.key = m.run
            WHERE r.campaign = $1 AND \(condition) LIMIT 1
            """, [campaign]) != nil
    }

    /// Takes over expired members of a run; their deliveries then belong to nobody.
    ///
    /// Members that are writing or being taken over are skipped. If `member` itself has expired, it
    /// takes over nobody.
    @discardableResult
    static func takeOverExpired(
        of run: Int64, by member: Int64? = nil, _ db: PostgreSQLConnection
    ) throws -> Int {
        try end(
            of: run,
            where: """
                until < clock_timestamp() AND ($2::bigint IS NULL OR EXISTS (
                    SELECT 1 FROM run_members m
                    WHERE m.run = $1 AND m.member = $2 AND \(isAlive)))
                """, with: [member], skipsLocked: true, db)
    }

    /// Takes over expired members of a campaign's runs; returns false if other processes take part.
    static func takeOverExpired(in campaign: String, _ db: PostgreSQLConnection) throws -> Bool {
        let runs = try db.rows(
            """
            SELECT DISTINCT m.run FROM run_members m JOIN runs r ON r.key = m.run
            WHERE r.campaign = $1 ORDER BY m.run
            """, [campaign])
        for run in runs { try takeOverExpired(of: run.int64(0), db) }
        return try !exist(in: campaign, db)
    }

    /// Ends parts in a run, including valid ones; their deliveries then belong to nobody.
    ///
    /// - Parameters:
    ///   - values: the values of `$2` and so on in the condition.
    ///   - skipsLocked: whether to skip members that are writing instead of waiting for them.
    @discardableResult
    static func end(
        of run: Int64, where condition: String = "true", with values: [any PostgreSQLBindable] = [],
        skipsLocked: Bool = false, _ db: PostgreSQLConnection
    ) throws -> Int {
        let members = try db.rows(
            """
            SELECT member FROM run_members WHERE run = $1 AND \(condition)
            ORDER BY member FOR UPDATE \(skipsLocked ? "SKIP LOCKED" : "")
            """, [run] + values
        ).map { try $0.int64(0) }
        guard !members.isEmpty else { return 0 }
        try db.execute(
            """
            UPDATE claimed_pages SET member = NULL, serial = NULL
            WHERE run = $1 AND member = ANY($2::bigint[])
            """, [run, members])
        // `state < 2` lets the server use the index of open deliveries.
        try db.execute(
            """
            UPDATE deliveries SET member = NULL
            WHERE run = $1 AND member = ANY($2::bigint[]) AND state < 2
            """, [run, members])
        let sum = try db.row(
            """
            WITH gone AS (
                DELETE FROM run_members WHERE run = $1 AND member = ANY($2::bigint[])
                RETURNING requests
            )
            SELECT coalesce(sum(requests), 0)::bigint FROM gone
            """, [run, members])
        // This is done last, because other changes of the run wait for its row.
        if let requests = try sum?.int(0), requests > 0 {
            try db.execute(
                "UPDATE runs SET requests = requests + $2 WHERE key = $1", [run, requests])
        }
        return members.count
    }

    /// Ends all parts in a run that is over, and removes its claims.
    static func removeAll(of run: Int64, _ db: PostgreSQLConnection) throws {
        try end(of: run, db)
        try ClaimedPages.removeAll(of: run, db)
    }
}
