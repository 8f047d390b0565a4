package import CampaignCore
import GRDB

extension SQLiteStore {
    package func reportPage(
        _ run: RunID, after number: Int, recipients: Int
    ) async throws -> (rows: [ReportRow], last: Int) {
        try await read { db in
            let key = try RunKey(of: run, db)
            let platforms = try RunPlatform.all(of: key, db).map(\.platform)
            let shared = try String.fetchOne(
                try db.cachedStatement(sql: Self.sharedNotification), arguments: [key.value])
            let query = try NativeStatement(Self.reporting, db)
            query.bind(key.value, at: 1)
            query.bind(number, at: 2)
            // Numbers are dense, so that a page of recipients is a range of numbers.
            query.bind(number + recipients, at: 3)
            var rows: [ReportRow] = []
            var last = number
            try query.forEachRow { row in
                let position = row.integer(2)
                let state =
                    row.isNull(4) ? .notAttempted : DeliveryState(rawValue: row.integer(4))
                guard platforms.indices.contains(position), let state,
                    let notification = row.text(3) ?? shared
                else {
                    throw DatabaseError.damaged
                }
                last = row.integer(0)
                rows.append(
                    ReportRow(
                        recipient: Username(checked: try row.requiredText(1)),
                        platform: platforms[position],
                        notification: NotificationID(checked: notification),
                        outcome: state.outcome, detail: row.text(5) ?? "", hubMessage: row.text(6),
                        attempts: row.integer(7),
                        recordedAt: row.isNull(8)
                            ? nil : Timestamp.date(Int64(row.integer(8)))))
            }
            return (rows, last)
        }
    }

    private static let sharedNotification =
        "SELECT id FROM notifications WHERE run = ? AND number = 0"

    private static let reporting = """
        SELECT r.number, r.name, p.position, n.id, d.state, d.detail,
            d.hub_message, d.attempts, d.recorded
        FROM recipients r
        CROSS JOIN run_platforms p ON p.run = r.run
        LEFT JOIN deliveries d
            ON d.run = r.run AND d.platform = p.position AND d.number = r.number
        LEFT JOIN notifications n ON n.run = r.run AND n.number = r.number
        WHERE r.run = ?1 AND r.number > ?2 AND r.number <= ?3
        ORDER BY r.number, p.position
        """
}
