import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

/// One who takes part in a run, as a row of `run_members`.
struct RunMember {
    let worker: RunWorker
    /// What it has of the run's rate.
    let rate: Double?
    /// Whether its lease lasts.
    let isAlive: Bool

    /// All of a run, the first to join first.
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

/// Those who take part in runs, as rows of `run_members`.
enum RunMembers {
    /// Whether a row `m` of `run_members` is one whose lease lasts.
    static let isAlive = "m.until >= clock_timestamp()"

    /// Whether anybody takes part in any run of a campaign.
    ///
    /// - Parameters:
    ///   - campaign: its name.
    ///   - condition: of which rows `m` of `run_members`.
    ///   - db: any connection.
    static func exist(
        in campaign: String, where condition: String = "true", _ db: PostgreSQLConnection
    ) throws -> Bool {
        try db.row(
            """
            SELECT 1 FROM run_members m JOIN runs r ON r.key = m.run
            WHERE r.campaign = $1 AND \(condition) LIMIT 1
            """, [campaign]) != nil
    }

    /// Takes over what those have of a run whose lease has ended: it is nobody's from then on.
    ///
    /// Whoever writes for their part at this moment is left for another time, and so is who is taken over by another.
    ///
    /// - Parameters:
    ///   - run: the run's key.
    ///   - member: for whom; nobody is taken over for one whose own lease has ended, and who stays. nil: for nobody who takes part.
    ///   - db: the connection, in a transaction that writes.
    /// - Returns: how many there were.
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

    /// Takes over what those have of a campaign's runs whose lease has ended.
    ///
    /// - Returns: whether nobody takes part any more.
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

    /// Takes over what anybody has of a run, whether their lease has ended or not, and waits for who is writing.
    ///
    /// - Parameters:
    ///   - run: the run's key.
    ///   - db: the connection, in a transaction that writes.
    static func takeOverAll(of run: Int64, _ db: PostgreSQLConnection) throws {
        let members = try db.rows(
            "SELECT member FROM run_members WHERE run = $1 ORDER BY member FOR UPDATE", [run]
        ).map { try $0.int64(0) }
        try remove(members, of: run, db)
    }

    /// Ends all parts in a run that is over, and forgets who had claimed what.
    ///
    /// - Parameters:
    ///   - run: the run's key.
    ///   - db: the connection, in a transaction that writes.
    static func removeAll(of run: Int64, _ db: PostgreSQLConnection) throws {
        try takeOverAll(of: run, db)
        try ClaimedPages.removeAll(of: run, db)
    }

    /// Ends parts, and leaves what they had to whoever takes it.
    ///
    /// - Parameters:
    ///   - members: whose rows the transaction has locked `FOR UPDATE`.
    ///   - run: the run's key.
    ///   - db: the connection, in the transaction.
    static func remove(_ members: [Int64], of run: Int64, _ db: PostgreSQLConnection) throws {
        guard !members.isEmpty else { return }
        try db.execute(
            """
            UPDATE claimed_pages SET member = NULL, serial = NULL
            WHERE run = $1 AND member = ANY($2::bigint[])
            """, [run, members])
        // `state < 2` lets the server use the index of what is open.
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
        // Last: whoever changes the run waits for its row.
        guard let requests = try sum?.int(0), requests > 0 else { return }
        try db.execute("UPDATE runs SET requests = requests + $2 WHERE key = $1", [run, requests])
    }
}
