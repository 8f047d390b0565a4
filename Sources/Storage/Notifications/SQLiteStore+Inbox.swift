package import CampaignCore
package import FoundationEssentials
import GRDB

extension SQLiteStore {
    /// Runs that are looked at in one transaction, so that none is long however many a store holds.
    private static let inboxStep = 64

    package func notifications(
        for recipient: Username, isUnread: Bool, after last: NotificationID?, limit: Int,
        at now: Date
    ) async throws -> [ReceivedNotification] {
        guard limit > 0, var newest = try await firstRun(after: last, recipient) else { return [] }
        var found: [ReceivedNotification] = []
        while found.count < limit {
            let (first, wanted) = (newest, limit - found.count)
            let step = try await read { db in
                try inbox(
                    of: recipient, isUnread: isUnread, before: first, limit: wanted, at: now, db)
            }
            found += step.found
            guard let next = step.next else { break }
            newest = next
        }
        return found
    }

    /// The key before which the walk begins; nil when the page before ended with nothing of theirs.
    private func firstRun(
        after last: NotificationID?, _ recipient: Username
    ) async throws -> Int64? {
        guard let last else { return .max }
        return try await read { db in
            guard let place = try NotificationPlace.find(last, db),
                try place.number(of: recipient, db) != nil
            else { return nil }
            return place.run
        }
    }

    /// A few runs' worth of what one person was sent; `next` is nil when there are no more runs.
    private func inbox(
        of recipient: Username, isUnread: Bool, before newest: Int64, limit: Int, at now: Date,
        _ db: Database
    ) throws -> (found: [ReceivedNotification], next: Int64?) {
        let runs = try Int64.fetchAll(
            db.cachedStatement(sql: Self.fetchableRuns),
            arguments: [newest, Timestamp.milliseconds(now), Self.inboxStep])
        var found: [ReceivedNotification] = []
        for run in runs {
            guard let number = try RecipientOrder(run: run, db).number(of: recipient),
                let received = try received(
                    number, of: run, by: recipient, isUnread: isUnread, db)
            else { continue }
            found.append(received)
            if found.count == limit { return (found, run) }
        }
        return (found, runs.count == Self.inboxStep ? runs.last : nil)
    }

    private func received(
        _ number: Int, of run: Int64, by recipient: Username, isUnread: Bool, _ db: Database
    ) throws -> ReceivedNotification? {
        let statement = try NativeStatement(Self.handedOver, db)
        statement.bind(run, at: 1)
        statement.bind(number, at: 2)
        var found: (row: NotificationRow, fetched: Date?, read: Date?)?
        try statement.forEachRow { row in
            found = (
                try NotificationRow(row), Self.date(row, Self.inboxReceipt),
                Self.date(row, Self.inboxReceipt + 1)
            )
        }
        guard let found, !isUnread || found.read == nil else { return nil }
        var stored = try found.row.stored(
            for: found.row.number == 0 ? nil : recipient, keyring, db)
        stored.bytes = nil
        stored.digest = nil
        return ReceivedNotification(
            notification: stored, place: ReceiptPlace(run: run, number: number),
            fetched: found.fetched, read: found.read)
    }

    private static let fetchableRuns = """
        SELECT key FROM runs
        WHERE key < ? AND expires > ? AND revoked IS NULL
            AND kind <> '\(CampaignKind.alert.rawValue)' AND state <> '\(RunState.staging.rawValue)'
        ORDER BY key DESC LIMIT ?
        """

    /// The place of the first of a receipt's columns behind a notification's.
    private static let inboxReceipt: Int32 = 13

    /// States of a delivery that was handed to the hub, or may have been; one without a row is `sending`.
    private static let handedStates = [
        DeliveryState.sending, .waiting, .accepted, .unknown,
    ].map { String($0.rawValue) }.joined(separator: ", ")

    /// One person's notification of a run, without its content; nothing when no push of it was handed over.
    ///
    /// The last row is their own, where they have one. A secure one says nothing about itself, and is not decrypted.
    private static let handedOver = """
        SELECT \(inboxColumns), t.fetched, t.read
        FROM notifications n
        CROSS JOIN runs ON runs.key = n.run
        LEFT JOIN receipts t ON t.run = n.run AND t.number = ?2
        WHERE n.run = ?1 AND n.number IN (0, ?2) AND n.revoked IS NULL
            AND EXISTS (SELECT 1 FROM run_platforms p
                LEFT JOIN deliveries d
                    ON d.run = p.run AND d.platform = p.position AND d.number = ?2
                WHERE p.run = ?1 AND p.claimed >= ?2
                    AND coalesce(d.state, \(DeliveryState.sending.rawValue)) IN (\(handedStates)))
        ORDER BY n.number
        """

    private static let inboxColumns = NotificationRow.columns
        .replacing(
            "n.sealed", with: "iif(runs.kind = '\(CampaignKind.secure.rawValue)', NULL, n.sealed)"
        )
        .replacing("c.digest, c.bytes", with: "NULL, NULL")
}
