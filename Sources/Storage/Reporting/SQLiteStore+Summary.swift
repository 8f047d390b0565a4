package import CampaignCore
import GRDB

extension SQLiteStore {
    /// Reasons that are told apart; what comes beyond them is not counted, so that no hub's answers fill the memory.
    private static let mostReasons = 1_000

    /// Stands for somebody whose name is not known any more.
    private static let somebodyForgotten = Username(checked: "(forgotten)")

    private struct Reason: Hashable {
        let outcome: Outcome
        let text: String
    }

    package func reasons(_ run: RunID, limit: Int) async throws -> [TroubleReason] {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            let query = try NativeStatement(Self.troubles, db)
            query.bind(stored.key, at: 1)
            var found: [Reason: (count: Int, number: Int)] = [:]
            // Mostly the same as that of the row before.
            var last: (detail: String, essence: String) = ("", "")
            try query.forEachRow { row in
                guard let state = DeliveryState(rawValue: row.integer(0)) else {
                    throw DatabaseError.damaged
                }
                let detail = row.text(1) ?? ""
                if detail != last.detail { last = (detail, TroubleReason.essence(of: detail)) }
                let reason = Reason(outcome: state.outcome, text: last.essence)
                if let known = found[reason] {
                    found[reason] = (known.count + 1, known.number)
                } else if found.count < Self.mostReasons {
                    found[reason] = (1, row.integer(2))
                }
            }
            let name = try db.cachedStatement(
                sql: "SELECT name FROM recipients WHERE run = ? AND number = ?")
            return try found.sorted { one, other in
                (other.value.count, one.key.outcome.rawValue, one.key.text)
                    < (one.value.count, other.key.outcome.rawValue, other.key.text)
            }.prefix(limit).map { reason, met in
                guard
                    let example = try String.fetchOne(name, arguments: [stored.key, met.number])
                else { throw DatabaseError.damaged }
                return TroubleReason(
                    outcome: reason.outcome, reason: reason.text, count: met.count,
                    example: example.isEmpty ? Self.somebodyForgotten : Username(checked: example))
            }
        }
    }

    private static let troubles: String = {
        let states = TroubleReason.outcomes.map { "\(DeliveryState($0).rawValue)" }
        return """
            SELECT state, detail, number FROM deliveries
            WHERE run = ? AND state IN (\(states.joined(separator: ", ")))
            """
    }()
}

extension SQLiteStore {
    package func reach(_ run: RunID) async throws -> Reach {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            let statement = try db.cachedStatement(sql: Self.reaching)
            guard let row = try Row.fetchOne(statement, arguments: [stored.key]) else {
                return Reach()
            }
            return Reach(accepted: row[0], fetched: row[1], read: row[2])
        }
    }

    /// A person is counted on the first of the platforms that accepted them: the others are looked up, one row each, in the order
    /// in which they stand.
    private static let reaching = """
        SELECT
            (SELECT count(*) FROM deliveries d
                WHERE d.run = ?1 AND d.state = \(DeliveryState.accepted.rawValue)
                    AND NOT EXISTS (SELECT 1 FROM run_platforms p
                        CROSS JOIN deliveries e ON e.run = p.run AND e.platform = p.position
                            AND e.number = d.number
                        WHERE p.run = ?1 AND p.position < d.platform
                            AND e.state = \(DeliveryState.accepted.rawValue))),
            (SELECT count(fetched) FROM receipts WHERE run = ?1),
            (SELECT count(read) FROM receipts WHERE run = ?1)
        """
}
