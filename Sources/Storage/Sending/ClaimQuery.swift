import CampaignCore
import GRDB

/// Reads recipients with what is pushed to them.
enum ClaimQuery {
    /// The columns that ``fetch(_:_:run:_:)`` reads first; the query adds attempts and uncertainty.
    static let columns = "r.number, r.name, n.id, n.type, n.message"
    /// A recipient's own notification, where they have one.
    static let join = "LEFT JOIN notifications n ON n.run = r.run AND n.number = r.number"

    /// Fetches claims.
    ///
    /// - Parameters:
    ///   - sql: selects ``columns``, attempts and uncertainty.
    ///   - arguments: for `sql`.
    ///   - run: whose shared notification takes the place of a missing own one.
    ///   - db: any connection.
    /// - Returns: in the query's order.
    /// - Throws: `DatabaseError.damaged` when a recipient has no notification at all.
    static func fetch(
        _ sql: String, _ arguments: StatementArguments, run: RunKey, _ db: Database
    ) throws -> [DeliveryClaim] {
        let shared = try PushedNotification(of: run, db)
        let statement = try NativeStatement(sql, db)
        try statement.bind(arguments)
        var claims: [DeliveryClaim] = []
        try statement.forEachRow { row in
            let own = row.text(2).map {
                PushedNotification(
                    id: NotificationID(checked: $0), type: row.text(3), message: row.text(4))
            }
            guard let pushed = own ?? shared else { throw DatabaseError.damaged }
            claims.append(
                DeliveryClaim(
                    number: row.integer(0), username: Username(checked: try row.requiredText(1)),
                    notification: pushed.id, type: pushed.type, message: pushed.message,
                    attempts: row.integer(5), isUncertain: row.integer(6) != 0))
        }
        return claims
    }

    /// What a push shows of a notification.
    private struct PushedNotification {
        var id: NotificationID
        var type: String?
        var message: String?

        init(id: NotificationID, type: String?, message: String?) {
            self.id = id
            self.type = type
            self.message = message
        }

        /// The notification that a run's recipients share; nil when each has their own.
        init?(of run: RunKey, _ db: Database) throws {
            let statement = try db.cachedStatement(
                sql: "SELECT id, type, message FROM notifications WHERE run = ? AND number = 0")
            guard let row = try Row.fetchOne(statement, arguments: [run.value]) else { return nil }
            self.init(id: NotificationID(checked: row[0]), type: row[1], message: row[2])
        }
    }
}
