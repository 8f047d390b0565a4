import CampaignCore
import GRDB

/// Where a notification stands, and who may have it.
struct NotificationPlace {
    /// What ``find(_:_:)`` asks once a fetch.
    static let query = """
        SELECT i.run, i.number, runs.kind, coalesce(runs.revoked, n.revoked)
        FROM notification_ids i
        CROSS JOIN notifications n ON n.run = i.run AND n.number = i.number
        CROSS JOIN runs ON runs.key = i.run
        WHERE i.id = ?
        """

    /// The run's key.
    let run: Int64
    /// The recipient's number; 0 where the run's recipients share it.
    let number: Int
    let kind: CampaignKind
    let isRevoked: Bool

    /// Looks an id up.
    ///
    /// - Returns: nil when there is no such notification.
    /// - Throws: `DatabaseError`.
    static func find(_ id: NotificationID, _ db: Database) throws -> NotificationPlace? {
        let statement = try NativeStatement(query, db)
        try statement.bind([id.text])
        var found: NotificationPlace?
        try statement.forEachRow { row in
            guard let kind = CampaignKind(rawValue: try row.requiredText(2)) else {
                throw DatabaseError.damaged
            }
            found = NotificationPlace(
                run: Int64(row.integer(0)), number: row.integer(1), kind: kind,
                isRevoked: !row.isNull(3))
        }
        return found
    }

    /// The number under which a recipient is meant; nil when it was not sent to them.
    ///
    /// - Throws: `DatabaseError`.
    func number(of recipient: Username, _ db: Database) throws -> Int? {
        let found = try RecipientOrder(run: run, db).number(of: recipient)
        // The shared notification has number 0 and is for everyone in the run.
        guard let found, number == 0 || number == found else { return nil }
        return found
    }
}
