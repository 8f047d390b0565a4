import CampaignCore
import PostgreSQLClient

/// Where a notification is stored.
///
/// Statements name the run, so that the server plans and locks only its partition.
struct NotificationPlace {
    /// Less than any notification's number.
    static let beforeAll = -1_000_000

    let run: Int64
    /// The recipient's number; 0 or less if recipients share it.
    let number: Int

    var isShared: Bool { number <= 0 }

    /// The place after which this one comes next.
    var before: NotificationPlace { NotificationPlace(run: run, number: number - 1) }

    static func find(_ id: NotificationID, _ db: PostgreSQLConnection) throws -> NotificationPlace?
    {
        try place("SELECT run, number FROM notification_ids WHERE id = $1", id, db)
    }

    /// Looks up an id, or the next one, so that a missing id costs as much as another person's.
    static func nearest(
        _ id: NotificationID, _ db: PostgreSQLConnection
    ) throws -> NotificationPlace? {
        try place(nearest, id, db)
    }

    /// After the last id, the search continues with the first.
    private static let nearest = """
        (\(first("WHERE id >= $1"))) UNION ALL (\(first(""))) LIMIT 1
        """

    private static func first(_ condition: String) -> String {
        "SELECT run, number FROM notification_ids \(condition) ORDER BY id LIMIT 1"
    }

    private static func place(
        _ query: String, _ id: NotificationID, _ db: PostgreSQLConnection
    ) throws -> NotificationPlace? {
        try db.row(query, [id.text]).map { row in
            NotificationPlace(run: try row.int64(0), number: try row.int(1))
        }
    }
}
