import CampaignCore
import PostgreSQLClient
import Storage

/// Where a notification is stored, and who may fetch it.
///
/// A run's rows are asked for in statements that name it, so that the server plans and locks no partition but its own.
struct NotificationPlace {
    /// Less than the number of any notification.
    static let beforeAll = -1_000_000

    /// The run's key.
    let run: Int64
    /// The recipient's number; 0 or less where recipients of the run share it.
    let number: Int
    let kind: CampaignKind
    /// Whether all that the run sent was taken back.
    let isRunRevoked: Bool

    var isShared: Bool { number <= 0 }

    /// The place behind which this one comes next.
    var before: NotificationPlace {
        NotificationPlace(run: run, number: number - 1, kind: kind, isRunRevoked: isRunRevoked)
    }

    /// Looks an id up.
    ///
    /// - Returns: nil when there is no such notification.
    static func find(_ id: NotificationID, _ db: PostgreSQLConnection) throws -> NotificationPlace?
    {
        guard let (nearest, place) = try nearest(id, db), nearest == id else { return nil }
        return place
    }

    /// Looks up the id that is the same or comes next, so that one that does not exist costs what another person's does.
    ///
    /// - Returns: the id that was found, and where it stands; nil when the store holds none.
    static func nearest(
        _ id: NotificationID, _ db: PostgreSQLConnection
    ) throws -> (NotificationID, NotificationPlace)? {
        guard let row = try db.row(query, [id.text]) else { return nil }
        guard let kind = CampaignKind(rawValue: try row.text(3)) else { throw DamagedValue() }
        let place = NotificationPlace(
            run: try row.int64(1), number: try row.int(2), kind: kind,
            isRunRevoked: !row.isNull(4))
        return (NotificationID(checked: try row.text(0)), place)
    }

    /// The id; behind the last one the search goes on with the first.
    private static let query = """
        (\(first("WHERE i.id >= $1"))) UNION ALL (\(first(""))) LIMIT 1
        """

    private static func first(_ condition: String) -> String {
        """
        SELECT i.id, i.run, i.number, runs.kind, runs.revoked
        FROM notification_ids i JOIN runs ON runs.key = i.run
        \(condition) ORDER BY i.id LIMIT 1
        """
    }

    /// What a person may do with it.
    struct Holding {
        /// The person's number in the run; nil when the notification was not sent to them.
        let number: Int?
        /// Whether it was taken back, alone or with its run.
        let isRevoked: Bool
    }

    /// Looks up whether a notification was sent to somebody.
    ///
    /// It takes the same steps for everybody: who is not among the run's recipients is compared with the one whose name comes next,
    /// so that the time it takes tells nothing.
    ///
    /// - Returns: nil when the notification is gone.
    func holding(of recipient: Username, _ db: PostgreSQLConnection) throws -> Holding? {
        guard let row = try db.row(Self.holder, [run, number, recipient.text]) else { return nil }
        let found = try row.optionalText(2) == recipient.text ? try row.optionalInt(1) : nil
        let shared = try row.optionalInt(3)
        return Holding(
            number: number == (isShared ? shared : found) ? found : nil,
            isRevoked: isRunRevoked || !row.isNull(0))
    }

    /// With a person there are always the same columns of somebody.
    private static let holder = """
        SELECT n.revoked, r.number, r.name, r.notification
        FROM notifications n
        LEFT JOIN LATERAL (
            (\(nextRecipient("AND name >= $3"))) UNION ALL (\(nextRecipient(""))) LIMIT 1
        ) r ON true
        WHERE n.run = $1 AND n.number = $2
        """

    private static func nextRecipient(_ condition: String) -> String {
        """
        SELECT number, name, notification FROM recipients
        WHERE run = $1 \(condition) ORDER BY name LIMIT 1
        """
    }
}
