import CampaignCore
import GRDB
import Storage

struct NotificationPlace {
    /// The query of ``nearest(_:_:)``, once per fetch.
    static let query = """
        SELECT i.id, i.run, i.number, runs.kind, coalesce(runs.revoked, n.revoked)
        FROM notification_ids i
        CROSS JOIN notifications n ON n.run = i.run AND n.number = i.number
        CROSS JOIN runs ON runs.key = i.run
        WHERE i.id >= ? ORDER BY i.id LIMIT 1
        """

    let run: Int64
    /// Less than any notification's number.
    static let beforeAll = -1_000_000

    /// The recipient's number; 0 or less if recipients share it.
    let number: Int
    let kind: CampaignKind
    let isRevoked: Bool

    var isShared: Bool { number <= 0 }

    static func find(_ id: NotificationID, _ db: Database) throws -> NotificationPlace? {
        guard let (nearest, place) = try nearest(id, db), nearest == id else { return nil }
        return place
    }

    /// Looks up an id, or the next one, so that a missing id costs as much as another person's.
    static func nearest(
        _ id: NotificationID, _ db: Database
    ) throws -> (NotificationID, NotificationPlace)? {
        // After the last id, the search continues with the first.
        try next(from: id.text, db) ?? next(from: "", db)
    }

    private static func next(
        from text: String, _ db: Database
    ) throws -> (NotificationID, NotificationPlace)? {
        let statement = try NativeStatement(query, db)
        try statement.bind([text])
        var found: (NotificationID, NotificationPlace)?
        try statement.forEachRow { row in
            guard let kind = CampaignKind(rawValue: try row.requiredText(3)) else {
                throw DatabaseError.damaged
            }
            let place = NotificationPlace(
                run: Int64(row.integer(1)), number: row.integer(2), kind: kind,
                isRevoked: !row.isNull(4))
            found = (NotificationID(checked: try row.requiredText(0)), place)
        }
        return found
    }

    /// Enough for a binary search among sixteen million.
    private static let lookups = 25

    /// Which of the shared notifications a recipient gets.
    static let sharing = "SELECT notification FROM recipients WHERE run = ? AND number = ?"

    /// The recipient's number; nil when the notification was not sent to them.
    ///
    /// The number of steps is the same for everybody, so that timing reveals nothing.
    func number(of recipient: Username, _ db: Database) throws -> Int? {
        let found = try RecipientOrder(run: run, db)
            .number(of: recipient, atLeast: Self.lookups)
        // For everybody, found or not.
        let query = try NativeStatement(Self.sharing, db)
        query.bind(run, at: 1)
        query.bind(found ?? 1, at: 2)
        var shared = Self.beforeAll
        try query.forEachRow { shared = $0.integer(0) }
        guard let found, number == (isShared ? shared : found) else { return nil }
        return found
    }
}
