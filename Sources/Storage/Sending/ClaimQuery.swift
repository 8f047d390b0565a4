import CampaignCore
import GRDB

/// Reads recipients together with what their pushes hold.
enum ClaimQuery {
    /// The columns that ``fetch(_:_:run:_:)`` reads first; the query adds attempts and uncertainty.
    static let columns =
        "r.number, r.name, n.id, n.type, n.message, n.sealed, n.revoked IS NOT NULL"
    /// A recipient's own notification, where they have one.
    static let join = "LEFT JOIN notifications n ON n.run = r.run AND n.number = r.number"

    /// Fetches claims.
    ///
    /// - Parameters:
    ///   - sql: selects ``columns``, attempts and uncertainty.
    ///   - arguments: for `sql`.
    ///   - run: whose shared notification is for those who have none of their own.
    ///   - keyring: decrypts type and message, where a push holds them.
    ///   - db: any connection.
    /// - Returns: in the query's order; without type and message where they are encrypted and no push holds them.
    /// - Throws: `DatabaseError.damaged` when a recipient has no notification at all; ``StoreError`` when the key is missing.
    static func fetch(
        _ sql: String, _ arguments: StatementArguments, run: StoredRun, keyring: PayloadKeyring,
        _ db: Database
    ) throws -> [DeliveryClaim] {
        let shared = try PushedNotification(of: run, db)
        var cipher: PayloadCipher?
        let statement = try NativeStatement(sql, db)
        try statement.bind(arguments)
        var claims: [DeliveryClaim] = []
        try statement.forEachRow { row in
            let username: Username
            do {
                username = try Username(row.requiredText(1))
            } catch is UsernameFault {
                throw DatabaseError.damaged
            }
            var own = try row.text(2).map {
                try PushedNotification(id: $0, type: row.text(3), message: row.text(4))
            }
            if own != nil, run.kind != .secure, !row.isNull(5) {
                let known = try cipher ?? keyring.cipher(db)
                cipher = known
                try own?.unseal(row.bytes(5), for: username, known)
            }
            guard let pushed = own ?? shared else { throw DatabaseError.damaged }
            claims.append(
                DeliveryClaim(
                    number: row.integer(0), username: username,
                    notification: pushed.id, type: pushed.type, message: pushed.message,
                    attempts: row.integer(7), isUncertain: row.integer(8) != 0,
                    isRevoked: row.integer(6) != 0))
        }
        return claims
    }

    /// What a push shows of a notification.
    private struct PushedNotification {
        var id: NotificationID
        var type: String?
        var message: String?

        /// - Throws: `DatabaseError.damaged` when the text is not an id.
        init(id text: String, type: String?, message: String?) throws {
            guard let id = NotificationID(text) else { throw DatabaseError.damaged }
            self.id = id
            self.type = type
            self.message = message
        }

        /// Takes type and message from what was encrypted.
        mutating func unseal(
            _ bytes: [UInt8], for username: Username, _ cipher: PayloadCipher
        ) throws {
            let parts = try cipher.open(bytes, of: id, for: username)
            type = parts.type
            message = parts.message
        }

        /// The notification that a run's recipients share; nil when each has their own.
        init?(of run: StoredRun, _ db: Database) throws {
            let statement = try db.cachedStatement(
                sql: "SELECT id, type, message FROM notifications WHERE run = ? AND number = 0")
            guard let row = try Row.fetchOne(statement, arguments: [run.key]) else { return nil }
            try self.init(
                id: row.decode(atIndex: 0), type: row.decode(atIndex: 1),
                message: row.decode(atIndex: 2))
        }
    }
}
