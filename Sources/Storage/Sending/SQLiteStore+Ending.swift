package import CampaignCore
package import FoundationEssentials
import GRDB

extension SQLiteStore {
    package func endRemaining(
        _ run: RunID, as outcome: Outcome, detail: String, at time: Date
    ) async throws {
        let (positions, last) = try await read { db in
            let key = try RunKey(of: run, db)
            let last = try Int.fetchOne(
                db, sql: "SELECT max(number) FROM recipients WHERE run = ?", arguments: [key.value])
            return (try RunPlatform.all(of: key, db).map(\.position), last ?? 0)
        }
        for position in positions {
            for first in stride(from: 1, through: last, by: Self.transactionRows) {
                let arguments: StatementArguments = [
                    "platform": position, "first": first,
                    "last": min(first + Self.transactionRows - 1, last),
                    "state": DeliveryState(outcome).rawValue, "detail": detail,
                    "time": Timestamp.milliseconds(time),
                ]
                try await write { db in
                    let key = try RunKey(of: run, db)
                    for statement in Self.ending {
                        try db.cachedStatement(sql: statement)
                            .execute(arguments: arguments + ["run": key.value])
                    }
                }
            }
        }
    }

    /// For one range of recipients: those with a row that is open, those without a row, and the mark of what is claimed.
    private static let ending = [
        """
        UPDATE deliveries SET
            state = CASE WHEN state = \(DeliveryState.sending.rawValue) OR is_uncertain
                THEN \(DeliveryState.unknown.rawValue) ELSE :state END,
            attempts = attempts + (state = \(DeliveryState.sending.rawValue)),
            is_uncertain = is_uncertain OR state = \(DeliveryState.sending.rawValue),
            detail = :detail, recorded = :time
        WHERE run = :run AND platform = :platform AND number BETWEEN :first AND :last AND state < 2
        """,
        """
        INSERT INTO deliveries (run, platform, number, state, attempts, is_uncertain, recorded,
            detail)
        SELECT r.run, p.position, r.number,
            CASE WHEN r.number <= p.claimed THEN \(DeliveryState.unknown.rawValue)
                ELSE :state END,
            r.number <= p.claimed, r.number <= p.claimed, :time, :detail
        FROM run_platforms p CROSS JOIN recipients r ON r.run = p.run
        WHERE p.run = :run AND p.position = :platform AND r.number BETWEEN :first AND :last
            AND NOT EXISTS (SELECT 1 FROM deliveries d
                WHERE d.run = r.run AND d.platform = p.position AND d.number = r.number)
        """,
        """
        UPDATE run_platforms SET claimed = max(claimed, :last)
        WHERE run = :run AND position = :platform
        """,
    ]
}
