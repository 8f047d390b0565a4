package import CampaignCore
import GRDB

extension SQLiteStore {
    package func reach(_ run: RunID) async throws -> Reach {
        try await read { db in
            let key = try RunKey(of: run, db)
            let statement = try db.cachedStatement(sql: Self.reaching)
            guard let row = try Row.fetchOne(statement, arguments: [key.value]) else {
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
