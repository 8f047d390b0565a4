package import CampaignCore
import GRDB
import Storage

extension SQLiteStore {
    package func reasons(_ run: RunID, limit: Int) async throws -> [TroubleReason] {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            if let sums = try RunSums.kept(of: stored, db) {
                return Array(sums.troubleReasons.prefix(limit))
            }
            return try Self.reasons(of: stored, limit: limit, isNameless: false, db)
        }
    }

    /// The reasons of a run; nameless: without examples, and service messages only up to the first
    /// name.
    static func reasons(
        of run: StoredRun, limit: Int, isNameless: Bool, _ db: Database
    ) throws -> [TroubleReason] {
        let query = try NativeStatement(troubles, db)
        query.bind(run.key, at: 1)
        let name = try NativeStatement(naming, db)
        func nameOf(_ number: Int) throws -> String {
            name.bind(run.key, at: 1)
            name.bind(number, at: 2)
            var found: String?
            try name.forEachRow { found = try $0.requiredText(0) }
            guard let found else { throw DatabaseError.damaged }
            return found
        }
        var tally = ReasonTally()
        try query.forEachRow { row in
            guard let state = DeliveryState(rawValue: row.integer(0)) else {
                throw DatabaseError.damaged
            }
            var detail = row.text(1) ?? ""
            if isNameless {
                detail = try SaidName(nameOf(row.integer(2))).cut(from: detail)
            }
            tally.add(state.outcome, detail: detail, of: row.integer(2))
        }
        return try tally.reasons(limit: limit, nameOf: isNameless ? nil : nameOf)
    }

    private static let naming = "SELECT name FROM recipients WHERE run = ? AND number = ?"

    private static let troubles = """
        SELECT state, detail, number FROM deliveries
        WHERE run = ? AND state IN (\(Outcome.failures.stored))
        """
}

extension SQLiteStore {
    package func reach(_ run: RunID) async throws -> Reach {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.reach ?? Self.reach(of: stored, db)
        }
    }

    static func reach(of run: StoredRun, _ db: Database) throws -> Reach {
        let statement = try db.cachedStatement(sql: reaching)
        guard let row = try Row.fetchOne(statement, arguments: [run.key]) else { return Reach() }
        return Reach(accepted: row[0], fetched: row[1], read: row[2])
    }

    /// Counts a person on the first of the platforms that accepted them.
    ///
    /// Earlier platforms are looked up, one row each, in the order of the rows.
    private static let reaching = """
        SELECT
            (SELECT count(*) FROM deliveries d
                WHERE d.run = ?1 AND d.state = \(Outcome.accepted.stored)
                    AND (d.platform = 0 OR NOT EXISTS (SELECT 1 FROM run_platforms p
                        CROSS JOIN deliveries e ON e.run = p.run AND e.platform = p.position
                            AND e.number = d.number
                        WHERE p.run = ?1 AND p.position < d.platform
                            AND e.state = \(Outcome.accepted.stored)))),
            (SELECT count(fetched) FROM receipts WHERE run = ?1),
            (SELECT count(read) FROM receipts WHERE run = ?1)
        """
}
