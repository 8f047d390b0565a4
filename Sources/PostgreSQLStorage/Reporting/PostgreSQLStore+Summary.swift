package import CampaignCore
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func reasons(_ run: RunID, limit: Int) async throws -> [TroubleReason] {
        try await read(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            if let sums = try RunSums.kept(of: stored, db) {
                return Array(sums.troubleReasons.prefix(limit))
            }
            var tally = ReasonTally()
            try db.forEachRow(Self.troubles, [stored.key]) { row in
                try Self.count(row, StoredText.decode(row.text(1)), in: &tally)
            }
            return try tally.reasons(limit: limit) { number in
                let query = "SELECT name FROM recipients WHERE run = $1 AND number = $2"
                guard let row = try db.row(query, [stored.key, number]) else {
                    throw DamagedValue()
                }
                return try row.text(0)
            }
        }
    }

    /// The reasons of a run without names: no examples, and service messages only up to the first
    /// name.
    static func namelessReasons(
        of run: StoredRun, limit: Int, _ db: PostgreSQLConnection
    ) throws -> [TroubleReason] {
        var tally = ReasonTally()
        try db.forEachRow(namedTroubles, [run.key]) { row in
            let detail = StoredText.decode(try row.text(1))
            try count(row, SaidName(row.text(4)).cut(from: detail), in: &tally)
        }
        return tally.reasons(limit: limit, nameOf: nil)
    }

    private static func count(
        _ row: PostgreSQLRow, _ detail: String, in tally: inout ReasonTally
    ) throws {
        guard let state = DeliveryState(rawValue: try row.int(0)) else { throw DamagedValue() }
        tally.add(state.outcome, detail: detail, count: try row.int(2), of: try row.int(3))
    }

    /// One row for each distinct message.
    private static let troubles = """
        SELECT state, coalesce(detail, ''), count(*), min(number) FROM deliveries
        WHERE run = $1 AND state IN (\(Outcome.failures.stored))
        GROUP BY state, detail ORDER BY min(platform), min(number)
        """

    private static let namedTroubles = """
        SELECT d.state, coalesce(d.detail, ''), 1::bigint, d.number, r.name
        FROM deliveries d JOIN recipients r ON r.run = $1 AND r.number = d.number
        WHERE d.run = $1 AND d.state IN (\(Outcome.failures.stored))
        """
}

extension PostgreSQLStore {
    package func reach(_ run: RunID) async throws -> Reach {
        try await read(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.reach ?? Self.reach(of: stored, db)
        }
    }

    static func reach(of run: StoredRun, _ db: PostgreSQLConnection) throws -> Reach {
        guard let row = try db.row(reaching, [run.key]) else { return Reach() }
        return Reach(accepted: try row.int(0), fetched: try row.int(1), read: try row.int(2))
    }

    /// The SQL for how many people of a run have a delivery that meets a condition, on any
    /// platform.
    ///
    /// With one platform, each delivery is another person's, and nothing has to be sorted.
    static func people(with condition: String) -> String {
        """
        CASE WHEN (SELECT count(*) FROM run_platforms WHERE run = $1) = 1
            THEN (SELECT count(*) FROM deliveries WHERE run = $1 AND \(condition))
            ELSE (SELECT count(DISTINCT number) FROM deliveries WHERE run = $1 AND \(condition))
        END
        """
    }

    private static let reaching = """
        SELECT \(people(with: "state = \(Outcome.accepted.stored)")),
            count(fetched), count(read)
        FROM receipts WHERE run = $1
        """
}
