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
            var newest = (started: Int64.max, key: Int64.max)
            if let last {
                guard let run = try Self.run(of: last, for: recipient, db) else { return [] }
                newest = run
            }
            return try inboxRuns.runs(of: recipient, at: time, db)
                .filter { ($0.started, $0.key) < newest && $0.expires > time }
        }
        let look = { @Sendable (db: Database) throws -> [ReceivedNotification] in
            var found: [ReceivedNotification] = []
            for run in runs where found.count < limit {
                let held = try db.rows(Self.handedOver, [run.key, recipient.text]) { row in
                    try HeldNotification(row, of: run.key)
                }.last
                guard let held, !isUnread || !held.isRead else { continue }
                found.append(try held.listed(by: recipient, keyring, db))
            }
            return found
        }
        // Reading many runs would block the caller's thread.
        return try await runs.count > Self.runsAtOnce ? read(look) : readAtOnce(look)
    }

    private static let runsAtOnce = 32

    /// nil if the notification was not sent to this person.
    private static func run(
        of id: NotificationID, for recipient: Username, _ db: Database
    ) throws -> (started: Int64, key: Int64)? {
        try db.row(
            """
            SELECT runs.started, runs.key FROM notification_ids i
            CROSS JOIN recipients r INDEXED BY recipients_by_name
                ON r.run = i.run AND r.name = ?2 AND \(ownNumber)
            CROSS JOIN runs ON runs.key = i.run
            WHERE i.id = ?1
            """, [id.text, recipient.text]
        ) { (try $0.int64(0), try $0.int64(1)) }
    }

    /// The SQL for one person's notification of a run, without its content, if any of its pushes
    /// was handed to the hub.
    ///
    /// The last row is the person's own notification, if there is one. A secure notification shows
    /// no content and is not decrypted.
    private static let handedOver = """
        SELECT \(inboxColumns), r.number, t.fetched, t.read, NULL
        FROM recipients r INDEXED BY recipients_by_name
        CROSS JOIN notifications n ON n.run = r.run AND n.number IN (r.notification, r.number)
        CROSS JOIN runs ON runs.key = n.run
        LEFT JOIN receipts t ON t.run = n.run AND t.number = r.number
        WHERE r.run = ?1 AND r.name = ?2 AND n.revoked IS NULL
            AND runs.revoked IS NULL
            AND EXISTS (SELECT 1 FROM run_platforms p
                LEFT JOIN deliveries d
                    ON d.run = p.run AND d.platform = p.position AND d.number = r.number
                WHERE p.run = ?1 AND \(ClaimedRanges.isClaimed("r.number"))
                    AND coalesce(d.state, \(DeliveryState.sending.rawValue)) IN (\(DeliveryState.handed)))
        ORDER BY n.number
        """

    private static let inboxColumns = NotificationRow.columns(
        sealed: "iif(runs.kind = '\(CampaignKind.secure.rawValue)', NULL, n.sealed)",
        digest: "NULL", bytes: "NULL")
}
