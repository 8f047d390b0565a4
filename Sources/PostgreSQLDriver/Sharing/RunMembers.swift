import CampaignCore
import FoundationEssentials
import PostgreSQLClient

/// A process that takes part in a run, as a row of `run_members`.
struct RunMember {
    let worker: RunWorker
    /// Its share of the run's rate; nil: none was granted yet.
    let rate: Double?
    /// Whether its lease is valid.
    let isAlive: Bool

    /// In the order of joining.
    static func all(of run: Int64, _ db: PostgreSQLConnection) throws -> [RunMember] {
        try db.rows(
            """
            SELECT member, host, process, version, \(ServerTime.seconds("joined")),
                \(ServerTime.seconds("seen")), requests, report, rate, until >= clock_timestamp()
            FROM run_members WHERE run = $1 ORDER BY joined, member
            """, [run]
        ).map { row in
            RunMember(
                worker: RunWorker(
                    id: try row.int64(0),
                    process: WorkerProcess(
                        host: StoredText.decode(try row.text(1)), number: try row.int(2),
                        version: StoredText.decode(try row.text(3))),
                    joined: try ServerTime.date(row, 4), seen: try ServerTime.date(row, 5),
                    report: try StoredReport.report(row.optionalText(7), requests: row.int(6))),
                rate: try row.optionalDouble(8), isAlive: try row.bool(9))
        }
    }
}

enum RunMembers {
    /// A condition: the lease of a row `m` of `run_members` is valid.
    static let isAlive = "m.until >= clock_timestamp()"

    /// Whether anybody takes part in a campaign's runs; the condition is on rows `m` of
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

    /// Takes over expired members of a run: what they have belongs to nobody then.
    ///
    /// Members that are writing, or being taken over, are skipped. If `member` itself has expired,
    /// it takes over nobody.
    @discardableResult
    static func takeOverExpired(
        of run: Int64, by member: Int64? = nil, _ db: PostgreSQLConnection
    ) throws -> Int {
        let members = try db.rows(
            """
            SELECT member FROM run_members
            WHERE run = $1 AND until < clock_timestamp() AND ($2::bigint IS NULL OR EXISTS (
                SELECT 1 FROM run_members m
                WHERE m.run = $1 AND m.member = $2 AND \(isAlive)))
            ORDER BY member FOR UPDATE SKIP LOCKED
            """, [run, member]
        ).map { try $0.int64(0) }
        try remove(members, of: run, db)
        return members.count
    }

    /// Takes over expired members of a campaign's runs.
    static func takeOverExpired(
        in campaign: String, _ db: PostgreSQLConnection
    ) throws -> Bool {
        let runs = try db.rows(
            """
            SELECT DISTINCT m.run FROM run_members m JOIN runs r ON r.key = m.run
            WHERE r.campaign = $1 ORDER BY m.run
            """, [campaign])
        for run in runs { try takeOverExpired(of: run.int64(0), db) }
        return try !exist(in: campaign, db)
    }

    /// Takes over all members of a run, even valid ones; waits for those that are writing.
    static func takeOverAll(of run: Int64, _ db: PostgreSQLConnection) throws {
        let members = try db.rows(
            "SELECT member FROM run_members WHERE run = $1 ORDER BY member FOR UPDATE", [run]
        ).map { try $0.int64(0) }
        try remove(members, of: run, db)
    }

    /// Ends all parts in a run that is over, and forgets its claims.
    static func removeAll(of run: Int64, _ db: PostgreSQLConnection) throws {
        try takeOverAll(of: run, db)
        try ClaimedPages.removeAll(of: run, db)
    }

    /// Ends parts whose rows are locked `FOR UPDATE`; what they had belongs to nobody then.
    static func remove(_ members: [Int64], of run: Int64, _ db: PostgreSQLConnection) throws {
        guard !members.isEmpty else { return }
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
        // Last, since other changes of the run wait for its row.
        guard let requests = try sum?.int(0), requests > 0 else { return }
        try db.execute("UPDATE runs SET requests = requests + $2 WHERE key = $1", [run, requests])
    }
}
