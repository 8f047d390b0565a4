package import CampaignCore
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func overviews(
        run: RunID?, after last: NotificationID?, limit: Int
    ) async throws -> [NotificationOverview] {
        guard limit > 0, let start = try await start(run: run, after: last) else { return [] }
        var steps = RunSteps(start.runs)
        var found: [NotificationOverview] = []
        while found.count < limit {
            let step = steps.nextOfOnePartition()
            if step.isEmpty { break }
            let wanted = limit - found.count
            // A transaction for each step, so that none keeps the locks of all runs.
            found += try await read { db in
                try Self.overviews(of: step, after: start.last, limit: wanted, db)
            }
        }
        return found
    }

    package func overview(_ id: NotificationID) async throws -> NotificationOverview? {
        try await read { db in
            guard let place = try NotificationPlace.find(id, db) else { return nil }
            return try Self.overviews(
                of: [place.run], after: place.before, limit: 1, db
            ).first
        }
    }

    private struct ListStart {
        /// Newest first.
        let runs: [RunSteps.Run]
        /// The notification after which it begins; nil: with the first run's first.
        let last: NotificationPlace?
    }

    /// nil when there is nothing after the last one.
    private func start(run: RunID?, after last: NotificationID?) async throws -> ListStart? {
        try await read { db in
            let only = try run.map { try StoredRun(of: $0, db).key }
            var place: NotificationPlace?
            if let last {
                guard let found = try NotificationPlace.find(last, db),
                    only == nil || found.run == only
                else { return nil }
                place = found
            }
            let runs = try db.rows(Self.listedRuns, [only, place?.run]).map { row in
                RunSteps.Run(key: try row.int64(0), hasPartitions: try row.bool(1))
            }
            return ListStart(runs: runs, last: place)
        }
    }

    private static func overviews(
        of runs: [Int64], after last: NotificationPlace?, limit: Int, _ db: PostgreSQLConnection
    ) throws -> [NotificationOverview] {
        try db.rows(
            listing, [runs, last?.run, last?.number ?? NotificationPlace.beforeAll, limit]
        ).map(overview)
    }

    private static func overview(_ row: PostgreSQLRow) throws -> NotificationOverview {
        guard let kind = CampaignKind(rawValue: try row.text(3)) else { throw DamagedValue() }
        return NotificationOverview(
            id: NotificationID(checked: try row.text(0)), run: RunID(checked: try row.text(1)),
            campaign: try row.text(2), kind: kind,
            recipient: try row.optionalText(4).map { Username(checked: $0) },
            recipients: try row.int(5), mediaType: try row.optionalText(6),
            byteCount: kind == .alert ? nil : try row.optionalInt(7),
            isEncrypted: try row.bool(8), created: StoredTime.date(try row.int64(9)),
            expires: StoredTime.date(try row.int64(10)),
            revoked: try row.optionalInt64(11).map(StoredTime.date),
            fetched: try row.int(12), read: try row.int(13))
    }

    /// The condition for runs whose notifications are listed.
    private static let isListed =
        "runs.state <> '\(RunState.staging.rawValue)' AND runs.deliveries_deleted IS NULL"

    private static let listedRuns = """
        SELECT key, has_partitions FROM runs
        WHERE \(isListed)
            AND CASE WHEN $1::bigint IS NULL THEN kind <> '\(CampaignKind.alert.rawValue)' ELSE key = $1 END
            AND ($2::bigint IS NULL OR (started, key) <=
                (SELECT l.started, l.key FROM runs l WHERE l.key = $2))
        ORDER BY started DESC, key DESC
        """

    /// A page of runs' notifications, from one on; `length` of bytes does not read them.
    ///
    /// Encryption is decided by kind (`PreparedNotification.isSealed(kind:for:)`), so that purged
    /// ones count too. Each table gets the list of runs, so that the server skips the partitions of
    /// all others.
    private static let listing = """
        SELECT n.id, runs.id, runs.campaign, runs.kind, r.name,
            CASE WHEN n.number > 0 THEN 1 WHEN \(isOneOfSeveral) THEN
                (SELECT count(*) FROM recipients s WHERE s.run = n.run AND s.run = ANY($1::bigint[])
                    AND s.notification = n.number)
                ELSE runs.final END,
            n.media_type,
            coalesce((SELECT length(c.bytes) FROM contents c WHERE c.key = n.content),
                CASE WHEN n.sealed IS NOT NULL THEN
                    coalesce(n.byte_count, length(n.sealed) - \(PayloadCipher.addedBytes)) END),
            (runs.kind = '\(CampaignKind.secure.rawValue)' OR n.number > 0), runs.started,
            runs.expires, least(runs.revoked, n.revoked),
            \(count(of: "fetched")), \(count(of: "read"))
        FROM (
            SELECT * FROM notifications p
            WHERE p.run = ANY($1::bigint[])
                AND p.number > CASE WHEN p.run = $2::bigint THEN $3 ELSE \(NotificationPlace.beforeAll) END
            ORDER BY array_position($1::bigint[], p.run), p.number LIMIT $4
        ) n
        JOIN runs ON runs.key = n.run AND \(isListed)
        LEFT JOIN recipients r
            ON r.run = n.run AND r.run = ANY($1::bigint[]) AND r.number = n.number
        ORDER BY array_position($1::bigint[], n.run), n.number
        """

    /// Whether a run's recipients share more than one notification.
    private static let isOneOfSeveral = """
        EXISTS (SELECT 1 FROM notifications o
            WHERE o.run = n.run AND o.run = ANY($1::bigint[]) AND o.number < 0)
        """

    /// How many of a notification's people did something, by the time column in `receipts`.
    private static func count(of column: String) -> String {
        let receipts = "receipts t WHERE t.run = n.run AND t.run = ANY($1::bigint[])"
        return """
            CASE WHEN n.number > 0 THEN
                (SELECT count(t.\(column)) FROM \(receipts) AND t.number = n.number)
            WHEN \(isOneOfSeveral) THEN
                (SELECT count(t.\(column)) FROM \(receipts) AND EXISTS (
                    SELECT 1 FROM recipients s
                    WHERE s.run = t.run AND s.run = ANY($1::bigint[]) AND s.number = t.number
                        AND s.notification = n.number))
            ELSE (SELECT count(t.\(column)) FROM \(receipts)) END
            """
    }
}
