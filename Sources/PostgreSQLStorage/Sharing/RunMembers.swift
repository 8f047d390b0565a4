import PostgreSQLClient

/// Those who take part in runs, as rows of `run_members`.
enum RunMembers {
    /// Takes over what those have of a run whose lease has ended: it is nobody's from then on.
    ///
    /// Whoever writes for their part at this moment is left for another time, and so is who is taken over by another.
    ///
    /// - Parameters:
    ///   - run: the run's key.
    ///   - member: who stays, since they are about to renew their lease; nil: nobody.
    ///   - db: the connection, in a transaction that writes.
    /// - Returns: how many there were.
    @discardableResult
    static func takeOverExpired(
        of run: Int64, besides member: Int64? = nil, _ db: PostgreSQLConnection
    ) throws -> Int {
        let members = try db.rows(
            """
            SELECT member FROM run_members
            WHERE run = $1 AND until < clock_timestamp() AND member IS DISTINCT FROM $2
            ORDER BY member FOR UPDATE SKIP LOCKED
            """, [run, member]
        ).map { try $0.int64(0) }
        try remove(members, of: run, db)
        return members.count
    }

    /// Takes over what anybody has of a run, whether their lease has ended or not, and waits for who is writing.
    ///
    /// - Parameters:
    ///   - run: the run's key.
    ///   - db: the connection, in a transaction that writes.
    static func removeAll(of run: Int64, _ db: PostgreSQLConnection) throws {
        let members = try db.rows(
            "SELECT member FROM run_members WHERE run = $1 ORDER BY member FOR UPDATE", [run]
        ).map { try $0.int64(0) }
        try remove(members, of: run, db)
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
