import CampaignCore
import PostgreSQLClient
import Storage

/// Reads recipients together with what their pushes hold.
enum ClaimQuery {
    /// Fetches claims.
    ///
    /// - Parameters:
    ///   - page: selects `number`, `name`, `notification`, `attempts` and `is_uncertain`; `$1` is the run.
    ///   - values: `$2` and so on.
    ///   - run: whose shared notifications are for those who have none of their own.
    ///   - platform: whose texts a push holds.
    ///   - keyring: decrypts texts, where a push holds them.
    ///   - db: any connection.
    /// - Returns: by number; without the texts where they are encrypted and no push holds them.
    /// - Throws: ``DamagedValue`` when a recipient has no notification at all; ``StoreError`` when the key is missing.
    static func fetch(
        _ page: String, _ values: [any PostgreSQLBindable], run: StoredRun, on platform: Platform,
        keyring: PayloadKeyring, _ db: PostgreSQLConnection
    ) throws -> [DeliveryClaim] {
        let rows = try db.rows(statement(page, run: run), [run.key] + values)
        var opener = Opener(run: run, platform: platform, keyring: keyring, db: db)
        // Where each has their own, there are none to share.
        let shared = try rows.contains { $0.isNull(2) } ? opener.shared() : [:]
        return try rows.map { row in
            let username: Username
            do {
                username = try Username(row.text(1))
            } catch is UsernameFault {
                throw DamagedValue()
            }
            let own = try row.optionalText(2).map { id in
                try opener.open(
                    id: id, type: row.optionalText(3).map(StoredText.decode),
                    message: row.optionalText(4).map(StoredText.decode), texts: nil,
                    sealed: row.optionalBytes(5), for: username)
            }
            guard let pushed = try own ?? shared[row.int(7)] else { throw DamagedValue() }
            return DeliveryClaim(
                number: try row.int(0), username: username, pushed, attempts: try row.int(8),
                isUncertain: try row.bool(9), isRevoked: try row.bool(6), isShared: own == nil)
        }
    }

    /// Each looks for their own notification by itself: how many of a run's people have one, the server cannot know beforehand.
    private static func statement(_ page: String, run: StoredRun) -> String {
        """
        WITH page AS MATERIALIZED (\(page))
        SELECT p.number, p.name, n.id, n.type, n.message, n.sealed,
            coalesce(n.is_revoked, false), p.notification, p.attempts, p.is_uncertain
        FROM page p
        LEFT JOIN LATERAL (
            SELECT o.id, o.type, o.message, \(sealed(run)) AS sealed,
                o.revoked IS NOT NULL AS is_revoked
            FROM notifications o WHERE o.run = $1 AND o.number = p.number LIMIT 1
        ) n ON true
        ORDER BY p.number
        """
    }

    /// What is encrypted, where a push holds any of it.
    private static func sealed(_ run: StoredRun) -> String {
        PushedNotification.holdsSealed(kind: run.kind, hasPlaceholder: run.hasPlaceholder)
            ? "o.sealed" : "NULL::bytea"
    }

    /// Reads notifications as a push on one platform shows them, and decrypts what of it is encrypted.
    private struct Opener {
        let run: StoredRun
        let platform: Platform
        let keyring: PayloadKeyring
        let db: PostgreSQLConnection
        private var cipher: PayloadCipher?

        init(
            run: StoredRun, platform: Platform, keyring: PayloadKeyring, db: PostgreSQLConnection
        ) {
            self.run = run
            self.platform = platform
            self.keyring = keyring
            self.db = db
        }

        /// - Throws: ``DamagedValue`` when `id` is none, or the texts are not what was written.
        mutating func open(
            id: String, type: String?, message: String?, texts: [UInt8]?, sealed: [UInt8]?,
            for username: Username?
        ) throws -> PushedNotification {
            if sealed != nil, cipher == nil { cipher = try keyring.cipher(db) }
            return try PushedNotification(
                id: id, type: type, message: message, texts: texts, sealed: sealed, for: username,
                on: platform, cipher: { try cipher ?? keyring.cipher(db) })
        }

        /// The notifications that a run's recipients share, by number.
        mutating func shared() throws -> [Int: PushedNotification] {
            let rows = try db.rows(
                """
                SELECT o.number, o.id, o.type, o.message, o.texts, \(ClaimQuery.sealed(run))
                FROM notifications o WHERE o.run = $1 AND o.number <= 0
                """, [run.key])
            var found: [Int: PushedNotification] = [:]
            for row in rows {
                found[try row.int(0)] = try open(
                    id: row.text(1), type: row.optionalText(2).map(StoredText.decode),
                    message: row.optionalText(3).map(StoredText.decode),
                    texts: row.optionalBytes(4), sealed: row.optionalBytes(5), for: nil)
            }
            return found
        }
    }
}
