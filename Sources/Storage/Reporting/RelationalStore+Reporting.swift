package import CampaignCore
import FoundationEssentials

extension RelationalStore {
    package func reportPage(
        _ run: RunID, after number: Int, recipients: Int
    ) async throws -> (rows: [ReportRow], last: Int) {
        try await query { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let page = try RecipientPage(of: stored, after: number, limit: recipients, db)
            return (try page.report(of: stored, db), page.last ?? number)
        }
    }

    package func reportRows(
        _ run: RunID, of recipient: Username
    ) async throws -> [ReportRow] {
        try await query { db in
            let stored = try StoredRun(of: run, db)
            // A report with only some of a person's rows would be misleading.
            guard stored.deliveriesDeleted == nil,
                let page = try RecipientPage(recipient, of: stored, db)
            else { return [] }
            return try page.report(of: stored, db)
        }
    }
}

extension RecipientPage {
    /// The rows of each person are in the order of the platforms.
    fileprivate func report(of run: StoredRun, _ db: any SQLConnection) throws -> [ReportRow] {
        let platforms = try RunPlatform.all(of: run, db)
        var rows = try untried(on: platforms, of: run, db)
        func change(_ person: Int, _ body: (inout ReportRow) -> Void) {
            for index in (person * platforms.count)..<((person + 1) * platforms.count) {
                body(&rows[index])
            }
        }
        try self.rows("fetched, read", from: "receipts", of: run, db) { person, row in
            let (fetched, read) = (try row.optionalTime(1), try row.optionalTime(2))
            change(person) { ($0.fetchedAt, $0.readAt) = (fetched, read) }
        }
        for (position, platform) in platforms.enumerated() {
            try self.rows(
                "state, detail, hub_message, attempts, recorded", from: "deliveries",
                on: platform, of: run, db
            ) { person, row in
                let index = person * platforms.count + position
                rows[index].outcome = try row.state(1).outcome
                rows[index].detail = try row.optionalText(2) ?? ""
                rows[index].hubMessage = try row.optionalText(3)
                rows[index].attempts = try row.int(4)
                rows[index].recordedAt = try row.optionalTime(5)
            }
            try self.rows("fate", from: "telemetry", on: platform, of: run, db) { person, row in
                rows[person * platforms.count + position].pushServices = try row.optionalText(1)
            }
        }
        return rows
    }

    /// The rows of people who have not been sent to yet.
    private func untried(
        on platforms: [RunPlatform], of run: StoredRun, _ db: any SQLConnection
    ) throws -> [ReportRow] {
        let runRevoked = try db.row("SELECT revoked FROM runs WHERE key = ?1", [run.key]) {
            try $0.optionalTime(0)
        }
        func notification(_ row: any SQLRow) throws -> (id: NotificationID, revoked: Date?) {
            (NotificationID(checked: try row.text(1)), try row.optionalTime(2))
        }
        // One notification for each language; none if each person has a personal one.
        let shared = Dictionary(
            uniqueKeysWithValues: try db.rows(
                "SELECT number, id, revoked FROM notifications WHERE run = ?1 AND number <= 0",
                [run.key]
            ) { (try $0.int(0), try notification($0)) })
        var notifications = people.map { shared[$0.notification] }
        try self.rows("id, revoked", from: "notifications", of: run, db) { person, row in
            notifications[person] = try notification(row)
        }
        var rows: [ReportRow] = []
        rows.reserveCapacity(people.count * platforms.count)
        for (person, notification) in zip(people, notifications) {
            guard let notification else { throw DamagedValue() }
            let revoked = [notification.revoked, runRevoked ?? nil].compactMap(\.self).min()
            for platform in platforms {
                rows.append(
                    ReportRow(
                        recipient: person.name, platform: platform.platform,
                        notification: notification.id, outcome: .notAttempted, detail: "",
                        hubMessage: nil, attempts: 0, recordedAt: nil, revokedAt: revoked))
            }
        }
        return rows
    }
}
