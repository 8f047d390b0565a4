package import CampaignCore
package import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    /// Runs in one transaction, so that none is long.
    private static let inboxStep = 64

    package func notifications(
        for recipient: Username, isUnread: Bool, after last: NotificationID?, limit: Int,
        at now: Date
    ) async throws -> [ReceivedNotification] {
        guard limit > 0 else { return [] }
        var runs = try await runs(toLookThroughFor: recipient, after: last, at: now)[...]
        var found: [ReceivedNotification] = []
        while found.count < limit, !runs.isEmpty {
            let (step, wanted) = (runs.prefix(Self.inboxStep), limit - found.count)
            runs = runs.dropFirst(step.count)
            found += try await read { db in
                try inbox(of: recipient, in: step, isUnread: isUnread, limit: wanted, db)
            }
        }
        return found
    }

    /// Keys of fetchable runs, newest first, after the run of the last page.
    ///
    /// Only the newest ``StoreOptions/inboxRuns`` count, so that no caller makes the server search
    /// everything.
    private func runs(
        toLookThroughFor recipient: Username, after last: NotificationID?, at now: Date
    ) async throws -> [Int64] {
        try await read { db in
            var newest = Int64.max
            if let last {
                guard let place = try NotificationPlace.find(last, db),
                    try place.number(of: recipient, db) != nil
                else { return [] }
                newest = place.run
            }
            return try Int64.fetchAll(
                db.cachedStatement(sql: Self.fetchableRuns),
                arguments: [StoredTime.milliseconds(now), inboxRuns]
            ).filter { $0 < newest }
        }
    }

    private func inbox(
        of recipient: Username, in runs: ArraySlice<Int64>, isUnread: Bool, limit: Int,
        _ db: Database
    ) throws -> [ReceivedNotification] {
        var found: [ReceivedNotification] = []
        for run in runs {
            guard let number = try RecipientOrder(run: run, db).number(of: recipient),
                let received = try received(
                    number, of: run, by: recipient, isUnread: isUnread, db)
            else { continue }
            found.append(received)
            if found.count == limit { break }
        }
        return found
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
            for: found.row.number <= 0 ? nil : recipient, keyring, db)
        stored.bytes = nil
        stored.digest = nil
        return ReceivedNotification(
            notification: stored, place: ReceiptPlace(run: run, number: number),
            fetched: found.fetched, read: found.read)
    }

    /// Uses an index that skips expired runs.
    static let fetchableRuns = """
        SELECT key FROM runs INDEXED BY runs_fetchable
        WHERE expires > ? AND \(StoreSchema.isFetchable)
        ORDER BY key DESC LIMIT ?
        """

    /// The first receipt column, after a notification's.
    private static let inboxReceipt = NotificationRow.columnCount

    private static let handedStates = DeliveryState.handed
        .map { String($0.rawValue) }.joined(separator: ", ")

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
                    AND coalesce(d.state, \(DeliveryState.sending.rawValue)) IN (\(handedStates)))
        ORDER BY n.number
        """

    private static let inboxColumns = NotificationRow.columns
        .replacing(
            "n.sealed", with: "iif(runs.kind = '\(CampaignKind.secure.rawValue)', NULL, n.sealed)"
        )
        .replacing("c.digest, c.bytes", with: "NULL, NULL")
}
