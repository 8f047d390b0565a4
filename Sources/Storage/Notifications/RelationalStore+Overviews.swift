package import CampaignCore
import FoundationEssentials

extension RelationalStore {
    package func overviews(
        run: RunID?, after last: NotificationID?, limit: Int
    ) async throws -> [NotificationOverview] {
        guard limit > 0 else { return [] }
        let (only, start) = try await query { db in
            (
                try run.map { try StoredRun(of: $0, db).key },
                try last.flatMap { try NotificationKey.find($0, db) }
            )
        }
        if last != nil, start == nil || (only != nil && start?.run != only) { return [] }
        var found: [NotificationOverview] = []
        var latest: Int64?
        repeat {
            let groups = try await query { [latest] db in
                let runs = try NotificationOverview.runs(
                    only, from: start?.run, after: latest, limit: limit, db)
                return RunsAtOnce.all(runs, db)
            }
            for runs in groups where found.count < limit {
                let wanted = limit - found.count
                found += try await query { db in
                    var found: [NotificationOverview] = []
                    for run in runs where found.count < wanted {
                        let number = run == start?.run ? start?.number : nil
                        found += try NotificationOverview.page(
                            of: run, after: number, limit: wanted - found.count, db)
                    }
                    return found
                }
            }
            latest = groups.last?.last
        } while latest != nil && found.count < limit
        return found
    }

    package func overview(_ id: NotificationID) async throws -> NotificationOverview? {
        try await query { db in
            guard let place = try NotificationKey.find(id, db) else { return nil }
            return try NotificationOverview.page(
                of: place.run, after: place.number - 1, limit: 1, db
            ).first
        }
    }
}

extension NotificationOverview {
    /// The next runs of a list, newest first, starting with a run or after one that was already
    /// read.
    fileprivate static func runs(
        _ only: Int64?, from first: Int64?, after last: Int64?, limit: Int,
        _ db: any SQLConnection
    ) throws -> [Int64] {
        try db.rows(
            """
            SELECT key FROM runs
            WHERE \(isListed)
                AND CASE WHEN ?1 IS NULL THEN kind <> '\(CampaignKind.alert.rawValue)'
                    ELSE key = ?1 END
                AND (?2 IS NULL OR (started, key) <=
                    (SELECT l.started, l.key FROM runs l WHERE l.key = ?2))
                AND (?3 IS NULL OR (started, key) <
                    (SELECT l.started, l.key FROM runs l WHERE l.key = ?3))
            ORDER BY started DESC, key DESC LIMIT ?4
            """, [only, first, last, limit]
        ) { try $0.int64(0) }
    }

    fileprivate static func page(
        of run: Int64, after number: Int?, limit: Int, _ db: any SQLConnection
    ) throws -> [NotificationOverview] {
        try db.rows(
            listing,
            [run, number ?? NotificationKey.beforeAll, limit, [PayloadCipher.namedVersion]],
            NotificationOverview.init)
    }

    private init(_ row: any SQLRow) throws {
        let kind: CampaignKind = try row.word(3)
        self.init(
            id: NotificationID(checked: try row.text(0)), run: RunID(checked: try row.text(1)),
            campaign: try row.text(2), kind: kind,
            recipient: try row.optionalText(4).map { Username(checked: $0) },
            recipients: try row.int(5), mediaType: try row.optionalText(6),
            byteCount: kind == .alert ? nil : try row.optionalInt(7),
            isEncrypted: try row.bool(8), created: try row.time(9), expires: try row.time(10),
            revoked: try row.optionalTime(11), fetched: try row.int(12), read: try row.int(13))
    }

    fileprivate static let isListed =
        "runs.state <> '\(RunState.staging.rawValue)' AND runs.deliveries_deleted IS NULL"

    /// A page of a run's notifications; `length` returns the size of bytes without reading them.
    ///
    /// Whether a notification is encrypted follows from its kind
    /// (``PreparedNotification/isSealed(kind:for:)``), so that purged notifications are included.
    /// For values of an earlier version, the size includes the message and the type, which are
    /// small.
    static let listing = """
        SELECT n.id, runs.id, runs.campaign, runs.kind, r.name,
            CASE WHEN n.number > 0 THEN 1 WHEN \(isOneOfSeveral) THEN
                (SELECT count(*) FROM recipients s WHERE s.run = ?1 AND s.notification = n.number)
                ELSE runs.final END,
            n.media_type,
            coalesce((SELECT length(c.bytes) FROM contents c WHERE c.key = n.content),
                CASE WHEN n.sealed IS NOT NULL THEN coalesce(n.byte_count,
                    length(n.sealed) - \(PayloadCipher.addedBytes(named: "?4"))) END),
            (runs.kind = '\(CampaignKind.secure.rawValue)' OR n.number > 0), runs.started,
            runs.expires, \(NotificationRow.revoked), \(count(of: "fetched")), \(count(of: "read"))
        FROM notifications n
        JOIN runs ON runs.key = ?1 AND \(isListed)
        LEFT JOIN recipients r ON r.run = ?1 AND r.number = n.number
        WHERE n.run = ?1 AND n.number > ?2
        ORDER BY n.number LIMIT ?3
        """

    /// Whether a run's recipients share more than one notification.
    private static let isOneOfSeveral =
        "EXISTS (SELECT 1 FROM notifications o WHERE o.run = ?1 AND o.number < 0)"

    /// How many recipients of a notification have a time in a column of `receipts`.
    private static func count(of column: String) -> String {
        let counted = "(SELECT count(t.\(column)) FROM receipts t WHERE t.run = ?1"
        return """
            CASE WHEN n.number > 0 THEN \(counted) AND t.number = n.number)
            WHEN \(isOneOfSeveral) THEN \(counted) AND EXISTS (
                SELECT 1 FROM recipients s
                WHERE s.run = ?1 AND s.number = t.number AND s.notification = n.number))
            ELSE \(counted)) END
            """
    }
}
