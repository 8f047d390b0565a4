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
            // Half of a person's rows would mislead.
            guard stored.deliveriesDeleted == nil,
                let number = try RecipientOrder(run: stored.key, db).number(of: recipient)
            else { return [] }
            return try Self.report(RecipientPage(number..<(number + 1)), of: stored, db)
        }
    }

    /// Reads each platform's deliveries in their order in the file, since a lookup for each row
    /// would take longer.
    private static func report(
        _ page: RecipientPage, of run: StoredRun, _ db: Database
    ) throws -> [ReportRow] {
        let platforms = try RunPlatform.all(of: run, db).map(\.platform)
        let shared = try SharedNotifications(of: run, db)
        let people = try NativeStatement(people(of: run, db), db)
        people.bind(run.key, at: 1)
        let deliveries = try NativeStatement(deliveries(of: run, db), db)
        deliveries.bind(run.key, at: 1)
        return try page.values { numbers, take in
            people.bind(numbers.lowerBound, at: 2)
            people.bind(numbers.upperBound, at: 3)
            deliveries.bind(numbers.lowerBound, at: 2)
            deliveries.bind(numbers.upperBound, at: 3)
            let delivered = try platforms.indices.map { position in
                deliveries.bind(position, at: 4)
                var found: [ReportedDelivery] = []
                found.reserveCapacity(numbers.count)
                try deliveries.forEachRow { found.append(try ReportedDelivery($0)) }
                return found
            }
            var next = platforms.map { _ in 0 }
            try people.forEachRow { row in
                let person = try ReportedPerson(row, shared)
                for (position, platform) in platforms.enumerated() {
                    let place = next[position]
                    guard delivered[position].indices.contains(place),
                        delivered[position][place].number == person.number
                    else {
                        take(person.number, person.row(on: platform, nil))
                        continue
                    }
                    next[position] += 1
                    take(person.number, person.row(on: platform, delivered[position][place]))
                }
            }
            // Whoever has a delivery is a recipient.
            guard next == delivered.map(\.count) else { throw DatabaseError.damaged }
        }
    }

    /// Selects for a ``ReportedPerson``; joins notifications and receipts only if the run has any.
    private static func people(of run: StoredRun, _ db: Database) throws -> String {
        let hasOwn = try run.hasRows(in: .notifications, db)
        let hasReceipts = try run.hasRows(in: .receipts, db)
        return """
            SELECT r.number, r.name, r.notification, \(hasOwn ? "n.id, n.revoked" : "NULL, NULL"),
                \(hasReceipts ? "t.fetched, t.read" : "NULL, NULL")
            FROM recipients r
            \(hasOwn ? "LEFT JOIN notifications n ON n.run = r.run AND n.number = r.number" : "")
            \(hasReceipts ? "LEFT JOIN receipts t ON t.run = r.run AND t.number = r.number" : "")
            WHERE r.run = ?1 AND r.number >= ?2 AND r.number < ?3
            ORDER BY r.number
            """
    }

    /// Selects for a ``ReportedDelivery``; joins telemetry only if the run has any.
    private static func deliveries(of run: StoredRun, _ db: Database) throws -> String {
        let hasFates = try run.hasRows(in: .telemetry, db)
        return """
            SELECT d.number, d.state, d.detail, d.hub_message, d.attempts, d.recorded,
                \(hasFates ? "m.fate" : "NULL")
            FROM deliveries d
            \(hasFates
                ? """
                LEFT JOIN telemetry m
                    ON m.run = d.run AND m.platform = d.platform AND m.number = d.number
                """ : "")
            WHERE d.run = ?1 AND d.platform = ?4 AND d.number >= ?2 AND d.number < ?3
            ORDER BY d.number
            """
    }
}

private struct ReportedDelivery {
    let number: Int
    let outcome: Outcome
    let detail: String
    let hubMessage: String?
    let attempts: Int
    let recorded: Date?
    let fate: String?

    init(_ row: NativeRow) throws {
        guard let state = DeliveryState(rawValue: row.integer(1)) else {
            throw DatabaseError.damaged
        }
        number = row.integer(0)
        outcome = state.outcome
        detail = row.text(2) ?? ""
        hubMessage = row.text(3)
        attempts = row.integer(4)
        recorded = SQLiteStore.date(row, 5)
        fate = row.text(6)
    }
}

private struct ReportedPerson {
    let number: Int
    private let name: Username
    private let notification: NotificationID
    private let fetched: Date?
    private let read: Date?
    private let revoked: Date?

    init(_ row: NativeRow, _ shared: SharedNotifications) throws {
        let own = row.text(3).map { NotificationID(checked: $0) }
        let common = shared[row.integer(2)]
        guard let notification = own ?? common?.id else { throw DatabaseError.damaged }
        number = row.integer(0)
        name = Username(checked: try row.requiredText(1))
        self.notification = notification
        fetched = SQLiteStore.date(row, 5)
        read = SQLiteStore.date(row, 6)
        let revoked = own == nil ? common?.revoked : SQLiteStore.date(row, 4)
        self.revoked = [revoked, shared.runRevoked].compactMap(\.self).min()
    }

    /// nil: nobody has tried yet.
    func row(on platform: Platform, _ delivery: ReportedDelivery?) -> ReportRow {
        ReportRow(
            recipient: name, platform: platform, notification: notification,
            outcome: delivery?.outcome ?? .notAttempted,
            detail: delivery?.detail ?? "", hubMessage: delivery?.hubMessage,
            attempts: delivery?.attempts ?? 0, recordedAt: delivery?.recorded,
            pushServices: delivery?.fate, fetchedAt: fetched, readAt: read, revokedAt: revoked)
    }
}

private struct SharedNotifications {
    let runRevoked: Date?
    /// By number, one for each language; empty when each person has their own.
    private var notifications: [Int: (id: NotificationID, revoked: Date?)] = [:]

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

    /// A notification, and when it was revoked alone.
    subscript(number: Int) -> (id: NotificationID, revoked: Date?)? { notifications[number] }
}
