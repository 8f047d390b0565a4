package import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func reportPage(
        _ run: RunID, after number: Int, recipients: Int
    ) async throws -> (rows: [ReportRow], last: Int) {
        try await read { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let page = try RecipientPage(of: stored, after: number, limit: recipients, db)
            return (try Self.report(page, of: stored, db), page.last ?? number)
        }
    }

    package func reportRows(
        _ run: RunID, of recipient: Username
    ) async throws -> [ReportRow] {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            // Half of a person's rows would mislead.
            guard stored.deliveriesDeleted == nil,
                let page = try RecipientPage(recipient, of: stored, db)
            else { return [] }
            return try Self.report(page, of: stored, db)
        }
    }

    private static func report(
        _ page: RecipientPage, of run: StoredRun, _ db: PostgreSQLConnection
    ) throws -> [ReportRow] {
        guard page.last != nil else { return [] }
        let platforms = try RunPlatform.all(of: run, db).map(\.platform)
        let shared = try SharedNotifications(of: run, db)
        return try db.rows(reporting, [run.key, page.numbers]).map { row in
            let place = try row.int(0) - 1
            guard page.people.indices.contains(place) else { throw DamagedValue() }
            return try reportRow(row, of: page.people[place], platforms, shared)
        }
    }

    private static func reportRow(
        _ row: PostgreSQLRow, of person: RecipientPage.Person, _ platforms: [Platform],
        _ shared: SharedNotifications
    ) throws -> ReportRow {
        func time(_ column: Int) throws -> Date? {
            try row.optionalInt64(column).map(StoredTime.date)
        }
        let position = try row.int(1)
        let state = try row.optionalInt(4).map(DeliveryState.init(rawValue:)) ?? .notAttempted
        let own = try row.optionalText(2).map { NotificationID(checked: $0) }
        let common = shared[person.notification]
        guard platforms.indices.contains(position), let state,
            let notification = own ?? common?.id
        else { throw DamagedValue() }
        let revoked = [own == nil ? common?.revoked : try time(3), shared.runRevoked]
        return ReportRow(
            recipient: person.name, platform: platforms[position], notification: notification,
            outcome: state.outcome, detail: try row.optionalText(5).map(StoredText.decode) ?? "",
            hubMessage: try row.optionalText(6).map(StoredText.decode),
            attempts: try row.optionalInt(7) ?? 0, recordedAt: try time(8),
            pushServices: try row.optionalText(11).map(StoredText.decode),
            fetchedAt: try time(9), readAt: try time(10),
            revokedAt: revoked.compactMap(\.self).min())
    }

    /// Each row is looked up by its key, whatever the server's statistics: a page is small, and a
    /// run may be large.
    private static let reporting = """
        SELECT r.place, p.position, n.id, n.revoked, d.state, d.detail, d.hub_message, d.attempts,
            d.recorded, t.fetched, t.read, m.fate
        FROM unnest($2::bigint[]) WITH ORDINALITY AS r (number, place)
        CROSS JOIN run_platforms p
        LEFT JOIN LATERAL (SELECT state, detail, hub_message, attempts, recorded FROM deliveries
            WHERE run = $1 AND platform = p.position AND number = r.number LIMIT 1) d ON true
        LEFT JOIN LATERAL (SELECT id, revoked FROM notifications
            WHERE run = $1 AND number = r.number LIMIT 1) n ON true
        LEFT JOIN LATERAL (SELECT fetched, read FROM receipts
            WHERE run = $1 AND number = r.number LIMIT 1) t ON true
        LEFT JOIN LATERAL (SELECT fate FROM telemetry
            WHERE run = $1 AND platform = p.position AND number = r.number LIMIT 1) m ON true
        WHERE p.run = $1
        ORDER BY r.place, p.position
        """
}

private struct SharedNotifications {
    let runRevoked: Date?
    /// By number, one for each language; empty when each person has their own.
    private var notifications: [Int: (id: NotificationID, revoked: Date?)] = [:]

    init(of run: StoredRun, _ db: PostgreSQLConnection) throws {
        runRevoked = try db.row("SELECT revoked FROM runs WHERE key = $1", [run.key])?
            .optionalInt64(0).map(StoredTime.date)
        let rows = try db.rows(
            "SELECT number, id, revoked FROM notifications WHERE run = $1 AND number <= 0",
            [run.key])
        for row in rows {
            notifications[try row.int(0)] = (
                NotificationID(checked: try row.text(1)),
                try row.optionalInt64(2).map(StoredTime.date)
            )
        }
    }

    /// A notification, and when it was revoked alone.
    subscript(number: Int) -> (id: NotificationID, revoked: Date?)? { notifications[number] }
}
