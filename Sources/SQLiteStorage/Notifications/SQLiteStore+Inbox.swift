package import CampaignCore
package import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    package func notifications(
        for recipient: Username, isUnread: Bool, after last: NotificationID?, limit: Int,
        at now: Date
    ) async throws -> [ReceivedNotification] {
        guard limit > 0 else { return [] }
        let time = StoredTime.milliseconds(now)
        let runs: [InboxRuns.Run] = try await readAtOnce { db in
            var newest = Int64.max
            if let last {
                guard let run = try Self.run(of: last, for: recipient, db) else { return [] }
                newest = run
            }
            return try inboxRuns.runs(of: recipient, at: time, db)
                .filter { $0.key < newest && $0.expires > time }
        }
        let look = { @Sendable (db: Database) in
            try received(in: runs, by: recipient, isUnread: isUnread, limit: limit, db)
        }
        // Many would keep the caller's thread from others.
        return try await runs.count > Self.runsAtOnce ? read(look) : readAtOnce(look)
    }

    private static let runsAtOnce = 32

    private func received(
        in runs: [InboxRuns.Run], by recipient: Username, isUnread: Bool, limit: Int,
        _ db: Database
    ) throws -> [ReceivedNotification] {
        var found: [ReceivedNotification] = []
        for run in runs {
            guard let number = try RecipientOrder.number(of: recipient, in: run.key, db),
                let received = try received(
                    ReceiptPlace(run: run.key, number: number), by: recipient,
                    isUnread: isUnread, db)
            else { continue }
            found.append(received)
            if found.count == limit { break }
        }
        return found
    }

    /// nil when the notification was not sent to them.
    private static func run(
        of id: NotificationID, for recipient: Username, _ db: Database
    ) throws -> Int64? {
        let statement = try NativeStatement(
            """
            SELECT i.run FROM notification_ids i
            CROSS JOIN recipients r INDEXED BY recipients_by_name
                ON r.run = i.run AND r.name = ?2 AND \(ownNumber)
            WHERE i.id = ?1
            """, db)
        try statement.bind([id.text, recipient.text])
        var run: Int64?
        try statement.forEachRow { run = Int64($0.integer(0)) }
        return run
    }

    private func received(
        _ place: ReceiptPlace, by recipient: Username, isUnread: Bool, _ db: Database
    ) throws -> ReceivedNotification? {
        let statement = try NativeStatement(Self.handedOver, db)
        statement.bind(place.run, at: 1)
        statement.bind(place.number, at: 2)
        var found: (row: NotificationRow, fetched: Date?, read: Date?)?
        try statement.forEachRow { row in
            found = (
                try NotificationRow(row), Self.date(row, Self.inboxReceipt),
                Self.date(row, Self.inboxReceipt + 1)
            )
        }
        guard let found, !isUnread || found.read == nil else { return nil }
        var stored = try found.row.stored(
            for: found.row.number <= 0 ? nil : recipient, keyring, db)
        stored.bytes = nil
        stored.digest = nil
        return ReceivedNotification(
            notification: stored, place: place, fetched: found.fetched, read: found.read)
    }

    /// The first receipt column, after a notification's.
    private static let inboxReceipt = NotificationRow.columnCount

    /// One person's notification of a run without its content, if any push of it was handed over.
    ///
    /// The last row is their own, if they have one. A secure one shows nothing of itself, and is
    /// not decrypted.
    private static let handedOver = """
        SELECT \(inboxColumns), t.fetched, t.read
        FROM recipients r
        CROSS JOIN notifications n ON n.run = r.run AND n.number IN (r.notification, r.number)
        CROSS JOIN runs ON runs.key = n.run
        LEFT JOIN receipts t ON t.run = n.run AND t.number = ?2
        WHERE r.run = ?1 AND r.number = ?2 AND n.revoked IS NULL
            AND runs.revoked IS NULL
            AND EXISTS (SELECT 1 FROM run_platforms p
                LEFT JOIN deliveries d
                    ON d.run = p.run AND d.platform = p.position AND d.number = ?2
                WHERE p.run = ?1 AND \(ClaimedRanges.isClaimed("?2"))
                    AND coalesce(d.state, \(DeliveryState.sending.rawValue)) IN (\(DeliveryState.handed)))
        ORDER BY n.number
        """

    private static let inboxColumns = NotificationRow.columns
        .replacing(
            "n.sealed", with: "iif(runs.kind = '\(CampaignKind.secure.rawValue)', NULL, n.sealed)"
        )
        .replacing("c.digest, c.bytes", with: "NULL, NULL")
}
