package import CampaignCore
import GRDB
import Storage

extension SQLiteStore {
    package func overviews(
        run: RunID?, after last: NotificationID?, limit: Int
    ) async throws -> [NotificationOverview] {
        try await read { db in
            // Newest run first: from the greatest key down, or only one run.
            var (newest, oldest, number) = (Int64.max, Int64.min, NotificationPlace.beforeAll)
            if let run {
                let key = try StoredRun(of: run, db).key
                (newest, oldest) = (key, key)
            }
            if let last {
                guard let place = try NotificationPlace.find(last, db),
                    run == nil || place.run == newest
                else { return [] }
                (newest, number) = (place.run, place.number)
            }
            return try Self.overviews(
                from: newest, downTo: oldest, after: number, limit: limit, db)
        }
    }

    package func overview(_ id: NotificationID) async throws -> NotificationOverview? {
        try await read { db in
            guard let place = try NotificationPlace.find(id, db) else { return nil }
            return try Self.overviews(
                from: place.run, downTo: place.run, after: place.number - 1, limit: 1, db
            ).first
        }
    }

    private static func overviews(
        from newest: Int64, downTo oldest: Int64, after number: Int, limit: Int, _ db: Database
    ) throws -> [NotificationOverview] {
        let statement = try NativeStatement(listing, db)
        statement.bind(newest, at: 1)
        statement.bind(oldest, at: 2)
        statement.bind(number, at: 3)
        statement.bind(limit, at: 4)
        var found: [NotificationOverview] = []
        try statement.forEachRow { found.append(try overview($0)) }
        return found
    }

    private static func overview(_ row: NativeRow) throws -> NotificationOverview {
        guard let kind = CampaignKind(rawValue: try row.requiredText(3)) else {
            throw DatabaseError.damaged
        }
        let recipient = row.text(4)
        return NotificationOverview(
            id: NotificationID(checked: try row.requiredText(0)),
            run: RunID(checked: try row.requiredText(1)), campaign: try row.requiredText(2),
            kind: kind, recipient: recipient.map { Username(checked: $0) },
            recipients: row.integer(5), mediaType: row.text(6),
            byteCount: row.isNull(7) || kind == .alert ? nil : row.integer(7),
            isEncrypted: row.integer(8) != 0, created: StoredTime.date(Int64(row.integer(9))),
            expires: StoredTime.date(Int64(row.integer(10))), revoked: date(row, 11),
            fetched: row.integer(12), read: row.integer(13))
    }

    /// From one notification on; `length` of bytes does not read them.
    ///
    /// Values of an earlier version are counted with message and type, which are small. Encryption
    /// is decided by kind (``PreparedNotification/isSealed(kind:for:)``), so that purged ones count
    /// too.
    static let listing = """
        SELECT n.id, runs.id, runs.campaign, runs.kind, r.name,
            iif(n.number > 0, 1, iif(\(isOneOfSeveral),
                (SELECT count(*) FROM recipients WHERE run = n.run AND notification = n.number),
                runs.final)), n.media_type,
            coalesce((SELECT length(c.bytes) FROM contents c WHERE c.key = n.content),
                iif(n.sealed IS NULL, NULL,
                    coalesce(n.byte_count, length(n.sealed) - \(PayloadCipher.addedBytes)))),
            (runs.kind = '\(CampaignKind.secure.rawValue)' OR n.number > 0), runs.started, runs.expires,
            min(coalesce(runs.revoked, n.revoked), coalesce(n.revoked, runs.revoked)),
            \(count(of: "fetched")), \(count(of: "read"))
        FROM runs
        CROSS JOIN notifications n
            ON n.run = runs.key
                AND n.number > iif(runs.key = ?1, ?3, \(NotificationPlace.beforeAll))
        LEFT JOIN recipients r ON r.run = n.run AND r.number = n.number
        WHERE runs.key BETWEEN ?2 AND ?1 AND runs.state <> '\(RunState.staging.rawValue)'
            AND runs.deliveries_deleted IS NULL
            AND (?1 = ?2 OR runs.kind <> '\(CampaignKind.alert.rawValue)')
        ORDER BY runs.key DESC, n.number LIMIT ?4
        """

    /// Whether a run's recipients share more than one notification.
    private static let isOneOfSeveral =
        "EXISTS (SELECT 1 FROM notifications WHERE run = n.run AND number < 0)"

    /// How many of a notification's people did something, by the time column in `receipts`.
    private static func count(of column: String) -> String {
        """
        iif(n.number > 0,
            (SELECT \(column) IS NOT NULL FROM receipts WHERE run = n.run AND number = n.number),
            iif(\(isOneOfSeveral),
                (SELECT count(t.\(column)) FROM receipts t
                    CROSS JOIN recipients s ON s.run = t.run AND s.number = t.number
                    WHERE t.run = n.run AND s.notification = n.number),
                (SELECT count(\(column)) FROM receipts WHERE run = n.run)))
        """
    }
}
