package import CampaignCore

extension RelationalStore {
    package func reasons(_ run: RunID, limit: Int) async throws -> [TroubleReason] {
        try await query(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            if let sums = try RunSums.kept(of: stored, db) {
                return Array(sums.troubleReasons.prefix(limit))
            }
            return try stored.reasons(limit: limit, db)
        }
    }
}

extension StoredRun {
    fileprivate func reasons(limit: Int, _ db: any SQLConnection) throws -> [TroubleReason] {
        var tally = ReasonTally()
        try db.stream(Self.troubles, [key]) { try tally.add($0, detail: $0.text(1)) }
        return try tally.reasons(limit: limit) { number in
            let name = try db.row(
                "SELECT name FROM recipients WHERE run = ?1 AND number = ?2", [key, number]
            ) { try $0.text(0) }
            guard let name else { throw DamagedValue() }
            return name
        }
    }

    /// The reasons are without examples, and service messages are cut at the first name.
    func namelessReasons(limit: Int, _ db: any SQLConnection) throws -> [TroubleReason] {
        var tally = ReasonTally()
        try db.stream(Self.namedTroubles, [key]) { row in
            try tally.add(row, detail: QuotedName(row.text(4)).cut(from: row.text(1)))
        }
        return tally.reasons(limit: limit, nameOf: nil)
    }

    /// One row for each distinct message.
    private static let troubles = """
        SELECT state, coalesce(detail, ''), count(*), min(number) FROM deliveries
        WHERE run = ?1 AND state IN (\(Outcome.failures.stored))
        GROUP BY state, detail ORDER BY min(platform), min(number)
        """

    /// One row for each person and platform.
    private static let namedTroubles = """
        SELECT d.state, coalesce(d.detail, ''), CAST(1 AS bigint), d.number, r.name
        FROM deliveries d JOIN recipients r ON r.run = ?1 AND r.number = d.number
        WHERE d.run = ?1 AND d.state IN (\(Outcome.failures.stored))
        """
}

extension ReasonTally {
    fileprivate mutating func add(_ row: any SQLRow, detail: String) throws {
        add(try row.state(0).outcome, detail: detail, count: try row.int(2), of: try row.int(3))
    }
}
