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
                try await save { db in
                    let key = try RunKey(of: run, db)
                    let arguments = arguments + ["run": key.value]
                    let columns = Int32(RunDigests.deliveries.count)
                    var change: Int64 = 0
                    let before = try NativeStatement(Self.open, db)
                    try before.bind(arguments)
                    try before.forEachRow { change &-= $0.digest(columns) }
                    for sql in Self.ending {
                        let statement = try NativeStatement(sql, db)
                        try statement.bind(arguments)
                        try statement.forEachRow { change &+= $0.digest(columns) }
                    }
                    try db.cachedStatement(sql: Self.claiming).execute(arguments: arguments)
                    try RowSeal.renew(platform: position, of: key.value, db)
                    try RunDigests.add(deliveries: change, to: key.value, db)
                }
            }
        }
    }

    private static let columns = RunDigests.deliveries.joined(separator: ", ")

    /// For one range of recipients, the rows that are open.
    private static let open = """
        SELECT \(columns) FROM deliveries
        WHERE run = :run AND platform = :platform AND number BETWEEN :first AND :last AND state < 2
        """

    /// For one range of recipients: those with a row that is open, and those without a row.
    private static let ending = [
        """
        UPDATE deliveries SET
            state = CASE WHEN state = \(DeliveryState.sending.rawValue) OR is_uncertain
                THEN \(DeliveryState.unknown.rawValue) ELSE :state END,
            attempts = attempts + (state = \(DeliveryState.sending.rawValue)),
            is_uncertain = is_uncertain OR state = \(DeliveryState.sending.rawValue),
            detail = :detail, recorded = :time
        WHERE run = :run AND platform = :platform AND number BETWEEN :first AND :last AND state < 2
        RETURNING \(columns)
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
        RETURNING \(columns)
        """,
    ]

    /// The mark of what is claimed.
    private static let claiming = """
        UPDATE run_platforms SET claimed = max(claimed, :last)
        WHERE run = :run AND position = :platform
        """
}
