package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func notifications(
        for recipient: Username, isUnread: Bool, after last: NotificationID?, limit: Int,
        at now: Date
    ) async throws -> [ReceivedNotification] {
        guard limit > 0 else { return [] }
        var steps = RunSteps(
            try await runs(toLookThroughFor: recipient, after: last, at: now))
        var found: [ReceivedNotification] = []
        while found.count < limit {
            let step = steps.next()
            if step.isEmpty { break }
            let wanted = limit - found.count
            // A transaction for each step, so that none keeps the locks of all runs.
            found += try await read { db in
                try inbox(of: recipient, in: step, isUnread: isUnread, limit: wanted, db)
            }
        }
        return found
    }

    /// Fetchable runs, newest first, after the run of the last page.
    ///
    /// Only the newest ``PostgreSQLStoreOptions/inboxRuns`` count, so that no caller makes the
    /// server search everything.
    private func runs(
        toLookThroughFor recipient: Username, after last: NotificationID?, at now: Date
    ) async throws -> [RunSteps.Run] {
        try await read { db in
            var newest: Int64?
            if let last {
                guard let place = try NotificationPlace.find(last, db),
                    try place.holding(of: recipient, db)?.number != nil
                else { return [] }
                newest = place.run
            }
            return try db.rows(
                Self.fetchableRuns, [StoredTime.milliseconds(now), inboxRuns, newest]
            ).map { row in
                RunSteps.Run(key: try row.int64(0), hasPartitions: try row.bool(1))
            }
        }
    }

    private func inbox(
        of recipient: Username, in step: [RunSteps.Run], isUnread: Bool, limit: Int,
        _ db: PostgreSQLConnection
    ) throws -> [ReceivedNotification] {
        var values: [any PostgreSQLBindable] = [
            recipient.text, step.filter { !$0.hasPartitions }.map(\.key),
        ]
        let many = step.filter(\.hasPartitions)
        for index in 0..<RunSteps.most {
            values.append(index < many.count ? many[index].key : nil as Int64?)
        }
        var numbers: [Int64: Int] = [:]
        for row in try db.rows(Self.numbers, values) { numbers[try row.int64(0)] = try row.int(1) }
        var found: [ReceivedNotification] = []
        for run in step {
            guard let number = numbers[run.key],
                let received = try received(
                    number, of: run.key, by: recipient, isUnread: isUnread, db)
            else { continue }
            found.append(received)
            if found.count == limit { break }
        }
        return found
    }

    private func received(
        _ number: Int, of run: Int64, by recipient: Username, isUnread: Bool,
        _ db: PostgreSQLConnection
    ) throws -> ReceivedNotification? {
        guard let row = try db.row(Self.handedOver, [run, number]) else { return nil }
        let receipt = NotificationRow.columnCount
        let read = try row.optionalInt64(receipt + 1).map(StoredTime.date)
        guard !isUnread || read == nil else { return nil }
        let notification = try NotificationRow(row)
        var stored = try notification.stored(
            for: notification.number <= 0 ? nil : recipient, keyring, db)
        stored.bytes = nil
        stored.digest = nil
        return ReceivedNotification(
            notification: stored, place: ReceiptPlace(run: run, number: number),
            fetched: try row.optionalInt64(receipt).map(StoredTime.date), read: read)
    }

    /// Uses the index `runs_fetchable`.
    private static let fetchableRuns = """
        SELECT key, has_partitions FROM (
            SELECT key, has_partitions, started FROM runs
            WHERE expires > $1 AND revoked IS NULL AND kind <> '\(CampaignKind.alert.rawValue)'
                AND state <> '\(RunState.staging.rawValue)'
            ORDER BY started DESC, key DESC LIMIT $2) newest
        WHERE $3::bigint IS NULL
            OR (started, key) < (SELECT l.started, l.key FROM runs l WHERE l.key = $3)
        ORDER BY started DESC, key DESC
        """

    /// The numbers of a person in the runs of a step, unordered.
    ///
    /// One branch for each run with partitions, planned separately: with one list, the server would
    /// compare it with each partition.
    private static let numbers =
        (["SELECT run, number FROM recipients WHERE name = $1 AND run = ANY($2::bigint[])"]
        + (0..<RunSteps.most).map { index in
            "SELECT run, number FROM recipients WHERE name = $1 AND run = $\(index + 3)::bigint"
        }).joined(separator: " UNION ALL ")

    private static let handedStates = DeliveryState.handed
        .map { String($0.rawValue) }.joined(separator: ", ")

    /// One person's notification of a run without its content, if any push of it was handed over.
    ///
    /// It is their own, if they have one. A secure one shows nothing of itself, and is not
    /// decrypted.
    private static let handedOver = """
        SELECT \(inboxColumns), t.fetched, t.read
        FROM recipients r
        JOIN notifications n ON n.run = $1 AND n.number IN (r.notification, r.number)
        JOIN runs ON runs.key = $1
        LEFT JOIN receipts t ON t.run = $1 AND t.number = $2
        WHERE r.run = $1 AND r.number = $2 AND n.revoked IS NULL AND runs.revoked IS NULL
            AND EXISTS (SELECT 1 FROM run_platforms p
                LEFT JOIN deliveries d
                    ON d.run = $1 AND d.platform = p.position AND d.number = $2
                WHERE p.run = $1 AND \(ClaimedRanges.isClaimed("$2"))
                    AND coalesce(d.state, \(DeliveryState.sending.rawValue)) IN (\(handedStates)))
        ORDER BY n.number DESC LIMIT 1
        """

    private static let inboxColumns = NotificationRow.columns
        .replacing(
            "n.sealed",
            with: "CASE WHEN runs.kind <> '\(CampaignKind.secure.rawValue)' THEN n.sealed END"
        )
        .replacing("c.digest, c.bytes", with: "NULL::bytea, NULL::bytea")
}
