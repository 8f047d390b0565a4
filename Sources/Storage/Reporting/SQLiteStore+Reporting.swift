package import CampaignCore
import GRDB

extension SQLiteStore {
    package func reportPage(
        _ run: RunID, after number: Int, recipients: Int
    ) async throws -> (rows: [ReportRow], last: Int) {
        try await read { db in
            let key = try RunKey(of: run, db)
            let platforms = try RunPlatform.all(of: key, db).map(\.platform)
            let cursor = try Row.fetchCursor(
                try db.cachedStatement(sql: Self.reporting),
                // Numbers are dense, so that a page of recipients is a range of numbers.
                arguments: [key.value, number, number + recipients])
            var rows: [ReportRow] = []
            var last = number
            while let row = try cursor.next() {
                let position: Int = row[2]
                guard platforms.indices.contains(position),
                    let id = row[3] as String?,
                    let state = DeliveryState(
                        rawValue: row[4] ?? DeliveryState.notAttempted.rawValue)
                else { throw DatabaseError.damaged }
                last = row[0]
                rows.append(
                    ReportRow(
                        recipient: Username(checked: row[1]), platform: platforms[position],
                        notification: NotificationID(checked: id), outcome: state.outcome,
                        detail: row[5] ?? "", hubMessage: row[6], attempts: row[7] ?? 0,
                        recordedAt: (row[8] as Int64?).map(Timestamp.date)))
            }
            return (rows, last)
        }
    }

    private static let reporting = """
        SELECT r.number, r.name, p.position, coalesce(n.id, s.id), d.state, d.detail,
            d.hub_message, d.attempts, d.recorded
        FROM recipients r
        CROSS JOIN run_platforms p ON p.run = r.run
        LEFT JOIN deliveries d
            ON d.run = r.run AND d.platform = p.position AND d.number = r.number
        LEFT JOIN notifications n ON n.run = r.run AND n.number = r.number
        LEFT JOIN notifications s ON s.run = r.run AND s.number = 0
        WHERE r.run = ?1 AND r.number > ?2 AND r.number <= ?3
        ORDER BY r.number, p.position
        """
}
