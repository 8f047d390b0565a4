package import CampaignCore
import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    package func reportPage(
        _ run: RunID, after number: Int, recipients: Int
    ) async throws -> (rows: [ReportRow], last: Int) {
        try await read { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let page = try RecipientOrder(run: stored.key, db)
                .page(after: number, limit: recipients)
            return (try Self.report(page, of: stored, db), page.last ?? number)
        }
    }

    package func reportRows(
        _ run: RunID, of recipient: Username
    ) async throws -> [ReportRow] {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            // Half of a person's rows would say less than none.
            guard stored.deliveriesDeleted == nil,
                let number = try RecipientOrder(run: stored.key, db).number(of: recipient)
            else { return [] }
            return try Self.report(RecipientPage(number..<(number + 1)), of: stored, db)
        }
    }

    private static func report(
        _ page: RecipientPage, of run: StoredRun, _ db: Database
    ) throws -> [ReportRow] {
        let platforms = try RunPlatform.all(of: run, db).map(\.platform)
        let shared = try SharedNotifications(of: run, db)
        let query = try NativeStatement(reporting(of: run, db), db)
        query.bind(run.key, at: 1)
        return try page.values { numbers, take in
            query.bind(numbers.lowerBound, at: 2)
            query.bind(numbers.upperBound, at: 3)
            try query.forEachRow { row in
                take(row.integer(0), try reportRow(row, platforms, shared))
            }
        }
    }

    private static func reportRow(
        _ row: NativeRow, _ platforms: [Platform], _ shared: SharedNotifications
    ) throws -> ReportRow {
        let position = row.integer(2)
        let state = row.isNull(4) ? .notAttempted : DeliveryState(rawValue: row.integer(4))
        let own = row.text(3).map { NotificationID(checked: $0) }
        let common = shared[row.integer(12)]
        guard platforms.indices.contains(position), let state,
            let notification = own ?? common?.id
        else { throw DatabaseError.damaged }
        let revoked = [own == nil ? common?.revoked : date(row, 9), shared.runRevoked]
        return ReportRow(
            recipient: Username(checked: try row.requiredText(1)),
            platform: platforms[position], notification: notification,
            outcome: state.outcome, detail: row.text(5) ?? "", hubMessage: row.text(6),
            attempts: row.integer(7), recordedAt: date(row, 8),
            pushServices: row.text(13), fetchedAt: date(row, 10), readAt: date(row, 11),
            revokedAt: revoked.compactMap(\.self).min())
    }

    /// Selects what ``reportRow(_:_:_:)`` reads, and joins notifications, receipts and telemetry only where the run has rows there.
    private static func reporting(of run: StoredRun, _ db: Database) throws -> String {
        let hasOwn = try run.hasRows(in: .notifications, db)
        let hasReceipts = try run.hasRows(in: .receipts, db)
        let hasFates = try run.hasRows(in: .telemetry, db)
        return """
            SELECT r.number, r.name, p.position, \(hasOwn ? "n.id" : "NULL"), d.state, d.detail,
                d.hub_message, d.attempts, d.recorded, \(hasOwn ? "n.revoked" : "NULL"),
                \(hasReceipts ? "t.fetched, t.read" : "NULL, NULL"), r.notification,
                \(hasFates ? "m.fate" : "NULL")
            FROM recipients r
            CROSS JOIN run_platforms p ON p.run = r.run
            LEFT JOIN deliveries d
                ON d.run = r.run AND d.platform = p.position AND d.number = r.number
            \(hasOwn ? "LEFT JOIN notifications n ON n.run = r.run AND n.number = r.number" : "")
            \(hasReceipts ? "LEFT JOIN receipts t ON t.run = r.run AND t.number = r.number" : "")
            \(hasFates
                ? """
                LEFT JOIN telemetry m
                    ON m.run = r.run AND m.platform = p.position AND m.number = r.number
                """ : "")
            WHERE r.run = ?1 AND r.number >= ?2 AND r.number < ?3
            ORDER BY r.number, p.position
            """
    }
}

/// What a report says of the notifications that a run's recipients share.
private struct SharedNotifications {
    /// When the whole run was taken back.
    let runRevoked: Date?
    /// By number: one for each language; none when each person has their own.
    private var notifications: [Int: (id: NotificationID, revoked: Date?)] = [:]

    /// Looks at a run.
    init(of run: StoredRun, _ db: Database) throws {
        let revoked = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT revoked FROM runs WHERE key = ?"),
            arguments: [run.key])
        runRevoked = revoked.map(StoredTime.date)
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT number, id, revoked FROM notifications WHERE run = ? AND number <= 0"),
            arguments: [run.key])
        for row in rows {
            notifications[row[0]] = (
                NotificationID(checked: row[1]), (row[2] as Int64?).map(StoredTime.date)
            )
        }
    }

    /// The one with a number, and when it was taken back alone.
    subscript(number: Int) -> (id: NotificationID, revoked: Date?)? { notifications[number] }
}
