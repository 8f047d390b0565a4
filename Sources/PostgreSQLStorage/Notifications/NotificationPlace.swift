import CampaignCore
import PostgreSQLClient
import Storage

/// Where a notification is stored, and who may fetch it.
///
/// Statements name the run, so that the server plans and locks only its partition.
struct NotificationPlace {
    /// Less than any notification's number.
    static let beforeAll = -1_000_000

    let run: Int64
    /// The recipient's number; 0 or less if recipients share it.
    let number: Int
    let kind: CampaignKind
    let isRunRevoked: Bool

    var isShared: Bool { number <= 0 }

    /// The place after which this one comes next.
    var before: NotificationPlace {
        NotificationPlace(run: run, number: number - 1, kind: kind, isRunRevoked: isRunRevoked)
    }

    static func find(_ id: NotificationID, _ db: PostgreSQLConnection) throws -> NotificationPlace?
    {
        guard let (nearest, place) = try nearest(id, db), nearest == id else { return nil }
        return place
    }

    /// Looks up an id, or the next one, so that a missing id costs as much as another person's.
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

    /// After the last id, the search continues with the first.
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

    struct Holding {
        /// nil when the notification was not sent to them.
        let number: Int?
        /// Alone or with its run.
        let isRevoked: Bool
    }

    /// Looks up whether a notification was sent to somebody; nil when it is gone.
    ///
    /// The steps are the same for everybody: other people are compared with the next name, so that
    /// timing reveals nothing.
    func holding(of recipient: Username, _ db: PostgreSQLConnection) throws -> Holding? {
        guard let row = try db.row(Self.holder, [run, number, recipient.text]) else { return nil }
        let found = try row.optionalText(2) == recipient.text ? try row.optionalInt(1) : nil
        let shared = try row.optionalInt(3)
        return Holding(
            number: number == (isShared ? shared : found) ? found : nil,
            isRevoked: isRunRevoked || !row.isNull(0))
    }

    /// With the same columns of somebody in any case.
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
