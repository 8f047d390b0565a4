import CampaignCore
import FoundationEssentials
import GRDB

/// What a report says of all recipients of a run alike.
struct SharedNotification {
    /// nil when each has their own.
    private(set) var id: NotificationID?
    /// When it was taken back alone.
    private(set) var revoked: Date?
    /// When the whole run was taken back.
    let runRevoked: Date?

    /// Looks at a run.
    ///
    /// - Throws: `DatabaseError`.
    init(of run: RunKey, _ db: Database) throws {
        let statement = try db.cachedStatement(sql: Self.query)
        let row = try Row.fetchOne(statement, arguments: [run.value])
        id = (row?[0] as String?).map { NotificationID(checked: $0) }
        revoked = (row?[1] as Int64?).map(Timestamp.date)
        runRevoked = (row?[2] as Int64?).map(Timestamp.date)
    }

    private static let query = """
        SELECT n.id, n.revoked, runs.revoked
        FROM runs LEFT JOIN notifications n ON n.run = runs.key AND n.number = 0
        WHERE runs.key = ?
        """
}
