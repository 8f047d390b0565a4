import GRDB

/// Reads what stands for single deliveries of a run on one platform, before they change.
struct DeliveryDigest {
    /// The platform's place in the run.
    let position: Int
    private let run: Int64
    private let row: NativeStatement

    /// - Parameters:
    ///   - run: the run's key.
    ///   - position: the platform's place in the run.
    ///   - db: the connection that changes them, for as long as the value lives.
    /// - Throws: `DatabaseError`.
    init(of run: Int64, on position: Int, _ db: Database) throws {
        self.run = run
        self.position = position
        row = try NativeStatement(
            """
            \(RunDigests.select(RunDigests.deliveries, from: "deliveries"))
            AND platform = ? AND number = ?
            """, db)
    }

    /// The digest of a delivery's row; 0 when it has none.
    ///
    /// - Throws: `DatabaseError`.
    func digest(of number: Int) throws -> Int64 {
        row.bind(run, at: 1)
        row.bind(position, at: 2)
        row.bind(number, at: 3)
        var digest: Int64 = 0
        try row.forEachRow { digest = $0.digest(Int32(RunDigests.deliveries.count)) }
        return digest
    }

    /// Whether any delivery of a run has a row and no outcome.
    ///
    /// - Throws: `DatabaseError`.
    static func isAnyOpen(of run: Int64, _ db: Database) throws -> Bool {
        let query = try NativeStatement(
            """
            SELECT 1 FROM deliveries INDEXED BY deliveries_open WHERE run = ? AND state < 2 LIMIT 1
            """, db)
        query.bind(run, at: 1)
        var isAny = false
        try query.forEachRow { _ in isAny = true }
        return isAny
    }
}
