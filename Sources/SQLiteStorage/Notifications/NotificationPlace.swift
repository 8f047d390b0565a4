import CampaignCore
import GRDB
import Storage

/// Where a notification is stored, and who may fetch it.
struct NotificationPlace {
    /// The query of ``nearest(_:_:)``, which runs once per fetch.
    static let query = """
        SELECT i.id, i.run, i.number, runs.kind, coalesce(runs.revoked, n.revoked)
        FROM notification_ids i
        CROSS JOIN notifications n ON n.run = i.run AND n.number = i.number
        CROSS JOIN runs ON runs.key = i.run
        WHERE i.id >= ? ORDER BY i.id LIMIT 1
        """

    /// The run's key.
    let run: Int64
    /// Less than the number of any notification.
    static let beforeAll = -1_000_000

    /// The recipient's number; 0 or less where recipients of the run share it.
    let number: Int
    let kind: CampaignKind
    let isRevoked: Bool

    var isShared: Bool { number <= 0 }

    /// Looks an id up.
    ///
    /// - Returns: nil when there is no such notification.
    static func find(_ id: NotificationID, _ db: Database) throws -> NotificationPlace? {
        guard let (nearest, place) = try nearest(id, db), nearest == id else { return nil }
        return place
    }

    /// Looks up the id that is the same or comes next, so that one that does not exist costs what another person's does.
    ///
    /// - Returns: the id that was found, and where it stands; nil when the store holds none.
    static func nearest(
        _ id: NotificationID, _ db: Database
    ) throws -> (NotificationID, NotificationPlace)? {
        // Behind the last id, the search goes on with the first.
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

    /// As many names as halving needs to find one among sixteen million.
    private static let lookups = 25

    /// Which of the shared notifications a recipient gets.
    static let sharing = "SELECT notification FROM recipients WHERE run = ? AND number = ?"

    /// The recipient's number in the run; nil when the notification was not sent to them.
    ///
    /// It takes the same number of steps for everybody, so that the time it takes tells nothing.
    func number(of recipient: Username, _ db: Database) throws -> Int? {
        let found = try RecipientOrder(run: run, db)
            .number(of: recipient, atLeast: Self.lookups)
        // Asked for everybody, found or not.
        let query = try NativeStatement(Self.sharing, db)
        query.bind(run, at: 1)
        query.bind(found ?? 1, at: 2)
        var shared = Self.beforeAll
        try query.forEachRow { shared = $0.integer(0) }
        guard let found, number == (isShared ? shared : found) else { return nil }
        return found
    }
}
