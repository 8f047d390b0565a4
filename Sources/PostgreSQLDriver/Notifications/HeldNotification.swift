import CampaignCore
import PostgreSQLClient
import Storage

extension HeldNotification {
    /// Returns nil if the notification was not sent to the recipient or no longer exists.
    ///
    /// There are two statements, because the second names the tables of the run that the first has
    /// found. A single statement would make the server lock the tables of every run, which takes
    /// longer than a round trip.
    ///
    /// An unknown id costs the same as another person's id: one search for an id and one for a
    /// name.
    static func find(
        _ id: NotificationID, of recipient: Username, hasContent: Bool, _ db: PostgreSQLConnection
    ) throws -> HeldNotification? {
        guard let place = try db.row(nearest, [id.text]) else { return nil }
        let run = try place.int64(0)
        do {
            return try db.row(
                query(run, hasContent), [run, try place.int(1), id.text, recipient.text]
            ) { try HeldNotification($0, of: run) }
        } catch let error as PostgreSQLError where error.kind == .undefinedObject {
            // The run's tables were removed in the meantime.
            return nil
        }
    }

    /// Looks up an id, or the next one, so that a missing id costs as much as another person's;
    /// after the last id, the search continues with the first.
    private static let nearest = """
        (SELECT run, number FROM notification_ids WHERE id >= $1 ORDER BY id LIMIT 1)
        UNION ALL (SELECT run, number FROM notification_ids ORDER BY id LIMIT 1) LIMIT 1
        """

    /// Everybody is compared with the next name, so that timing reveals nothing.
    ///
    /// `OFFSET 0` makes the server do that before it checks whose notification it is. `LIMIT 1`
    /// makes it look up a row by an index instead of reading a table that it assumes to be small.
    /// `length` does not read bytes that are stored separately.
    static func query(_ run: Int64, _ hasContent: Bool) -> String {
        let recipients = RunPartitions.table("recipients", of: run)
        func next(_ condition: String) -> String {
            """
            SELECT number, name, notification FROM \(recipients)
            WHERE run = $1 \(condition) ORDER BY name LIMIT 1
            """
        }
        return """
            SELECT \(hasContent ? NotificationRow.columns() : outline),
                n.holder, t.fetched, t.read, length(c.bytes)
            FROM (
                SELECT n.*, r.number AS holder, n.id = $3 AND r.name = $4
                    AND n.number = CASE WHEN n.number > 0 THEN r.number ELSE r.notification END
                    AS is_theirs
                FROM \(RunPartitions.table("notifications", of: run)) n
                CROSS JOIN LATERAL (
                    (\(next("AND name >= $4"))) UNION ALL (\(next(""))) LIMIT 1
                ) r
                WHERE n.run = $1 AND n.number = $2 OFFSET 0
            ) n
            JOIN runs ON runs.key = $1
            LEFT JOIN LATERAL (
                SELECT digest, bytes FROM contents WHERE key = n.content LIMIT 1
            ) c ON true
            LEFT JOIN LATERAL (
                SELECT fetched, read FROM \(RunPartitions.table("receipts", of: run))
                WHERE run = $1 AND number = n.holder LIMIT 1
            ) t ON true
            WHERE n.is_theirs
            """
    }

    /// The columns without the content, and without the encrypted part unless the payload is a
    /// file, because then that part is short.
    private static let outline = NotificationRow.columns(
        sealed: "CASE WHEN n.content IS NOT NULL THEN n.sealed END", bytes: "NULL")
}
