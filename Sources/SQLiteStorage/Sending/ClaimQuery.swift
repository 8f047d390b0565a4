import CampaignCore
import GRDB
import Storage

/// Reads recipients together with what their pushes hold.
enum ClaimQuery {
    /// What a query selects of the recipients `r`, and joins to them.
    struct Source {
        /// The columns that ``fetch(_:_:run:on:keyring:_:)`` reads first; the query adds attempts and uncertainty.
        let columns: String
        /// Joins a recipient's own notification; empty where nobody has one, since looking for each in vain is half the cost of a claim.
        let join: String

        /// - Parameter hasOwn: whether anybody has a notification of their own.
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

    /// Fetches claims.
    ///
    /// - Parameters:
    ///   - sql: selects ``Source/columns``, attempts and uncertainty.
    ///   - arguments: for `sql`.
    ///   - run: whose shared notifications are for those who have none of their own.
    ///   - platform: whose texts a push holds.
    ///   - keyring: decrypts texts, where a push holds them.
    ///   - db: any connection.
    /// - Returns: in the query's order; without the texts where they are encrypted and no push holds them.
    /// - Throws: `DatabaseError.damaged` when a recipient has no notification at all; ``StoreError`` when the key is missing.
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

    /// Reads notifications as a push on one platform shows them, and decrypts what of it is encrypted.
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

        /// What is encrypted in a row of either query; nil where no push holds any of it.
        ///
        /// SQLite does not read the bytes of a column that nobody asks for.
        func sealed(in row: NativeRow) -> [UInt8]? {
            let isHeld = PushedNotification.holdsSealed(
                kind: run.kind, hasPlaceholder: run.hasPlaceholder)
            return isHeld && !row.isNull(5) ? row.bytes(5) : nil
        }

        /// - Throws: ``DamagedValue`` when `id` is not valid, or the texts cannot be read.
        mutating func open(
            id: String, type: String?, message: String?, texts: [UInt8]?, sealed: [UInt8]?,
            for username: Username?
        ) throws -> PushedNotification {
            if sealed != nil, cipher == nil { cipher = try keyring.cipher(db) }
            return try PushedNotification(
                id: id, type: type, message: message, texts: texts, sealed: sealed, for: username,
                on: platform, cipher: { try cipher ?? keyring.cipher(db) })
        }

        /// The notifications that a run's recipients share, by number; none when each has their own.
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
