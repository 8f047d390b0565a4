import CampaignCore
import PostgreSQLClient
import Storage

enum ClaimQuery {
    /// Fetches claims by number; `page` selects `number`, `name`, `notification`, `attempts` and
    /// `is_uncertain` of run `$1`.
    ///
    /// Encrypted texts that no push shows are left out. Throws ``DamagedValue`` for a recipient
    /// without a notification.
    static func fetch(
        _ page: String, _ values: [any PostgreSQLBindable], isDense: Bool, run: StoredRun,
        on platform: Platform, keyring: PayloadKeyring, _ db: PostgreSQLConnection
    ) throws -> [DeliveryClaim] {
        var people: [(number: Int, row: PostgreSQLRow)] = []
        var notifications: [Int: PostgreSQLRow] = [:]
        for row in try db.rows(statement(page, isDense: isDense, run: run), [run.key] + values) {
            let number = try row.int(0)
            if row.isNull(1) {
                notifications[number] = row
            } else {
                people.append((number, row))
            }
        }
        // Usually they are in order already.
        people.sort { $0.number < $1.number }
        var opener = Opener(run: run, platform: platform, keyring: keyring, db: db)
        var shared: [Int: PushedNotification] = [:]
        return try people.map { number, row in
            let username: Username
            do {
                username = try Username(row.text(1))
            } catch is UsernameFault {
                throw DamagedValue()
            }
            let own = notifications[number]
            let pushed: PushedNotification
            if let own {
                pushed = try opener.open(own, for: username)
            } else {
                let number = try row.int(2)
                guard let found = notifications[number] else { throw DamagedValue() }
                pushed = try shared[number] ?? opener.open(found, for: nil)
                shared[number] = pushed
            }
            return DeliveryClaim(
                number: number, username: username, pushed, attempts: try row.int(3),
                isUncertain: try row.bool(4), isRevoked: try own?.bool(10) ?? false,
                isShared: own == nil)
        }
    }

    /// People, followed by their notifications, which have no name, of the same snapshot.
    ///
    /// They are matched here: a join at the server would look up each row, which costs more than
    /// all the rest, since it cannot know how many people have their own.
    private static func statement(_ page: String, isDense: Bool, run: StoredRun) -> String {
        let own =
            isDense
            ? """
            FROM notifications o
            WHERE o.run = $1 AND o.number BETWEEN (SELECT min(number) FROM page)
                AND (SELECT max(number) FROM page)
            """
            : """
            FROM page p
            CROSS JOIN LATERAL (
                SELECT * FROM notifications WHERE run = $1 AND number = p.number LIMIT 1
            ) o
            """
        return """
            WITH page AS MATERIALIZED (\(page))
            SELECT number, name, notification, attempts, is_uncertain, NULL::text, NULL::text,
                NULL::text, NULL::bytea, NULL::bytea, NULL::boolean
            FROM page
            UNION ALL
            SELECT o.number, NULL, NULL, NULL, NULL, o.id, o.type, o.message, o.texts, \(sealed(run)),
                NULL
            FROM notifications o WHERE o.run = $1 AND o.number <= 0
            UNION ALL
            SELECT o.number, NULL, NULL, NULL, NULL, o.id, o.type, o.message, NULL, \(sealed(run)),
                o.revoked IS NOT NULL
            \(own)
            """
    }

    /// The encrypted part, if a push shows any of it.
    private static func sealed(_ run: StoredRun) -> String {
        PushedNotification.holdsSealed(kind: run.kind, hasPlaceholder: run.hasPlaceholder)
            ? "o.sealed" : "NULL::bytea"
    }

    /// Reads and decrypts notifications as a push on one platform shows them.
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

        /// nil: it is shared.
        mutating func open(
            _ row: PostgreSQLRow, for username: Username?
        ) throws -> PushedNotification {
            let sealed = try row.optionalBytes(9)
            if sealed != nil, cipher == nil { cipher = try keyring.cipher(db) }
            return try PushedNotification(
                id: row.text(5), type: row.optionalText(6).map(StoredText.decode),
                message: row.optionalText(7).map(StoredText.decode), texts: row.optionalBytes(8),
                sealed: sealed, for: username, on: platform,
                cipher: { try cipher ?? keyring.cipher(db) })
        }
    }
}
