import CampaignCore
import GRDB

struct NotificationPlace {
    let run: Int64
    /// Less than any notification's number.
    static let beforeAll = -1_000_000

    /// The recipient's number; 0 or less if recipients share it.
    let number: Int
    let isRevoked: Bool

    static func find(_ id: NotificationID, _ db: Database) throws -> NotificationPlace? {
        let statement = try NativeStatement(
            """
            SELECT i.run, i.number, coalesce(runs.revoked, n.revoked)
            FROM notification_ids i
            CROSS JOIN notifications n ON n.run = i.run AND n.number = i.number
            CROSS JOIN runs ON runs.key = i.run
            WHERE i.id = ?
            """, db)
        try statement.bind([id.text])
        var found: NotificationPlace?
        try statement.forEachRow { row in
            found = NotificationPlace(
                run: Int64(row.integer(0)), number: row.integer(1), isRevoked: !row.isNull(2))
        }
        return found
    }
}
