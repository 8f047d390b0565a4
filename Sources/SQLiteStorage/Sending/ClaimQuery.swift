import CampaignCore
import GRDB
import Storage

enum ClaimQuery {
    /// What a query selects of the recipients `r`, and joins to them.
    struct Source {
        /// The first columns for ``fetch(_:_:run:on:keyring:_:)``; the query adds attempts and
        /// uncertainty.
        let columns: String
        /// Joins recipients' own notifications; empty if there are none, which halves the cost of a
        /// claim.
        let join: String

        init(hasOwn: Bool) {
            columns =
                hasOwn
                ? """
                r.number, r.name, n.id, n.type, n.message, n.sealed, n.revoked IS NOT NULL, \
                r.notification
                """
                : "r.number, r.name, NULL, NULL, NULL, NULL, 0, r.notification"
            join =
                hasOwn ? "LEFT JOIN notifications n ON n.run = r.run AND n.number = r.number" : ""
        }

        init(of run: StoredRun, _ db: Database) throws {
            self.init(hasOwn: try run.hasRows(in: .notifications, db))
        }
    }

    /// Fetches claims by a query for ``Source/columns``, attempts and uncertainty, in its order.
    ///
    /// Encrypted texts that no push shows are left out. Throws `DatabaseError.damaged` for a
    /// recipient without a notification.
    static func fetch(
        _ sql: String, _ arguments: StatementArguments, run: StoredRun, on platform: Platform,
        keyring: PayloadKeyring, _ db: Database
    ) throws -> [DeliveryClaim] {
        var opener = Opener(run: run, platform: platform, keyring: keyring, db: db)
        let shared = try opener.shared()
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
            let own = try row.text(2).map { id in
                try opener.open(
                    id: id, type: row.text(3), message: row.text(4), texts: nil,
                    sealed: opener.sealed(in: row), for: username)
            }
            guard let pushed = own ?? shared[row.integer(7)] else { throw DatabaseError.damaged }
            claims.append(
                DeliveryClaim(
                    number: row.integer(0), username: username, pushed,
                    attempts: row.integer(8), isUncertain: row.integer(9) != 0,
                    isRevoked: row.integer(6) != 0, isShared: own == nil))
        }
        return claims
    }

    /// Reads and decrypts notifications as a push on one platform shows them.
    private struct Opener {
        let run: StoredRun
        let platform: Platform
        let keyring: PayloadKeyring
        let db: Database
        private var cipher: PayloadCipher?

        init(run: StoredRun, platform: Platform, keyring: PayloadKeyring, db: Database) {
            self.run = run
            self.platform = platform
            self.keyring = keyring
            self.db = db
        }

        /// The encrypted part of a row; nil if no push shows it, since SQLite does not read unused
        /// columns.
        func sealed(in row: NativeRow) -> [UInt8]? {
            let isHeld = PushedNotification.holdsSealed(
                kind: run.kind, hasPlaceholder: run.hasPlaceholder)
            return isHeld && !row.isNull(5) ? row.bytes(5) : nil
        }

        mutating func open(
            id: String, type: String?, message: String?, texts: [UInt8]?, sealed: [UInt8]?,
            for username: Username?
        ) throws -> PushedNotification {
            if sealed != nil, cipher == nil { cipher = try keyring.cipher(db) }
            return try PushedNotification(
                id: id, type: type, message: message, texts: texts, sealed: sealed, for: username,
                on: platform, cipher: { try cipher ?? keyring.cipher(db) })
        }

        /// By number; empty if each recipient has their own.
        mutating func shared() throws -> [Int: PushedNotification] {
            let statement = try NativeStatement(
                """
                SELECT number, id, type, message, texts, sealed FROM notifications
                WHERE run = ? AND number <= 0
                """, db)
            statement.bind(run.key, at: 1)
            var found: [Int: PushedNotification] = [:]
            try statement.forEachRow { row in
                found[row.integer(0)] = try open(
                    id: row.requiredText(1), type: row.text(2), message: row.text(3),
                    texts: row.isNull(4) ? nil : row.bytes(4), sealed: sealed(in: row), for: nil)
            }
            return found
        }
    }
}
