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
        return try await lookUp { db in
            do {
                return try inbox(
                    of: recipient, isUnread: isUnread, after: last, limit: limit, at: now, db)
            } catch let error as PostgreSQLError where error.kind == .undefinedObject {
                // A run's tables were removed in the meantime, so the run is no longer listed.
                throw PostgreSQLError(
                    error.kind, sqlState: error.sqlState, message: error.message,
                    asksForRepetition: true)
            }
        }
    }

    /// A run that can be fetched and that a person may be in.
    private struct InboxRun {
        let key: Int64
        let hasWaves: Bool
        /// The person's number; nil in a run with partitions, where it is looked up
        /// (``numbers(of:in:_:)``).
        let number: Int?
    }

    /// The maximum number of runs with partitions in a statement.
    private static let inboxStep = 16

    private func inbox(
        of recipient: Username, isUnread: Bool, after last: NotificationID?, limit: Int,
        at now: Date, _ db: PostgreSQLConnection
    ) throws -> [ReceivedNotification] {
        var newest: Int64?
        if let last {
            let held = try HeldNotification.find(last, of: recipient, hasContent: false, db)
            guard let held else { return [] }
            newest = held.place.run
        }
        var runs = try db.rows(
            Self.runs, [recipient.text, StoredTime.milliseconds(now), inboxRuns, newest]
        ) {
            InboxRun(key: try $0.int64(0), hasWaves: try $0.bool(1), number: try $0.optionalInt(2))
        }[...]
        var found: [ReceivedNotification] = []
        while found.count < limit, !runs.isEmpty {
            let step = runs.prefix(Self.inboxStep)
            runs = runs.dropFirst(step.count)
            let numbers = try Self.numbers(
                of: recipient, in: step.filter { $0.number == nil }.map(\.key), db)
            for run in step where found.count < limit {
                guard let number = run.number ?? numbers[run.key] else { continue }
                let held = try db.row(Self.handedOver(in: run), [run.key, number]) {
                    try HeldNotification($0, of: run.key)
                }
                guard let held, !isUnread || !held.isRead else { continue }
                found.append(try held.listed(by: recipient, keyring, db))
            }
        }
        return found
    }

    /// Looks up the numbers of a person in runs with partitions.
    private static func numbers(
        of recipient: Username, in runs: [Int64], _ db: PostgreSQLConnection
    ) throws -> [Int64: Int] {
        guard !runs.isEmpty else { return [:] }
        let query = runs.map { run in
            """
            SELECT run, number FROM \(RunPartitions.table("recipients", of: run))
            WHERE run = \(run) AND name = $1
            """
        }
        var numbers: [Int64: Int] = [:]
        for row in try db.rows(query.joined(separator: " UNION ALL "), [recipient.text]) {
            numbers[try row.int64(0)] = try row.int(1)
        }
        return numbers
    }

    /// Fetchable runs, newest first, after the last run of the previous page: the small runs that a
    /// person is in, and all runs with partitions.
    ///
    /// Only the newest ``StoreOptions/inboxRuns`` runs are used, and only ten times as many of the
    /// person's small runs are considered, so that no caller can make the server search everything.
    private static let runs = """
        SELECT key, has_waves, number FROM (
            SELECT key, has_waves, number, started FROM (
                SELECT key, has_waves, NULL::bigint AS number, started
                FROM runs WHERE has_partitions AND \(isFetchable)
                UNION ALL
                SELECT f.key, f.has_waves, r.number, f.started FROM (
                    SELECT run, number FROM recipients_few WHERE name = $1
                    ORDER BY run DESC LIMIT 10 * $3
                ) r
                CROSS JOIN LATERAL (
                    SELECT key, has_waves, started FROM runs
                    WHERE key = r.run AND \(isFetchable) LIMIT 1
                ) f
            ) person ORDER BY started DESC, key DESC LIMIT $3
        ) newest
        WHERE $4::bigint IS NULL
            OR (started, key) < (SELECT l.started, l.key FROM runs l WHERE l.key = $4)
        ORDER BY started DESC, key DESC
        """

    private static let isFetchable =
        "expires > $2 AND deliveries_deleted IS NULL AND \(StoredRun.isFetchable)"

    /// The SQL for one person's notification of a run, without its content, if any of its pushes
    /// was handed to the hub.
    ///
    /// It is the person's own notification, if there is one. A secure notification shows no content
    /// and is not decrypted. `LIMIT 1` makes the server look up a row by an index instead of
    /// reading a table that it assumes to be small.
    private static func handedOver(in run: InboxRun) -> String {
        let tables = { RunPartitions.table($0, of: run.key) }
        return """
            SELECT \(inboxColumns), $2, t.fetched, t.read, NULL
            FROM \(tables("recipients")) r
            JOIN runs ON runs.key = $1
            CROSS JOIN LATERAL (
                SELECT * FROM \(tables("notifications"))
                WHERE run = $1 AND number IN (r.notification, $2) AND revoked IS NULL
                ORDER BY number DESC LIMIT 1
            ) n
            LEFT JOIN LATERAL (
                SELECT fetched, read FROM \(tables("receipts"))
                WHERE run = $1 AND number = $2 LIMIT 1
            ) t ON true
            WHERE r.run = $1 AND r.number = $2 AND runs.revoked IS NULL
                AND EXISTS (SELECT 1 FROM run_platforms p
                    WHERE p.run = $1
                        AND \(run.hasWaves ? ClaimedRanges.isClaimed("$2") : "$2 <= p.claimed")
                        AND coalesce(
                            (SELECT d.state FROM \(tables("deliveries")) d
                                WHERE d.run = $1 AND d.platform = p.position AND d.number = $2),
                            \(DeliveryState.sending.rawValue)) IN (\(DeliveryState.handed)))
            """
    }

    private static let inboxColumns = NotificationRow.columns(
        sealed: "CASE WHEN runs.kind <> '\(CampaignKind.secure.rawValue)' THEN n.sealed END",
        digest: "NULL", bytes: "NULL")
}
