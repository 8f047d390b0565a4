import GRDB

extension StoreSchema {
    /// `number` is the recipient's; 0 is the notification that a run's recipients share.
    ///
    /// What is secure or was rendered for one person stands in `sealed` alone; anything else in `message`, `type` and `contents`.
    /// The ids are random, so their tree is filled once, sorted, when staging ends.
    static let notifications = """
        CREATE TABLE contents (
            key INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE,
            bytes BLOB NOT NULL
        ) STRICT;

        CREATE TABLE notifications (
            run INTEGER NOT NULL,
            number INTEGER NOT NULL,
            id TEXT NOT NULL,
            type TEXT,
            message TEXT,
            media_type TEXT,
            content INTEGER REFERENCES contents,
            revoked INTEGER,
            sealed BLOB,
            PRIMARY KEY (run, number)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX notifications_by_content ON notifications (content)
            WHERE content IS NOT NULL;
        CREATE INDEX notifications_revoked ON notifications (run, number)
            WHERE revoked IS NOT NULL;

        CREATE TABLE notification_ids (
            id TEXT PRIMARY KEY,
            run INTEGER NOT NULL,
            number INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- One row at the most: tells the right key from a wrong one, and says nothing about it.
        CREATE TABLE payload_key (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            check_value BLOB NOT NULL
        ) STRICT;
        """

    /// How many bytes the content has by itself, since what is encrypted does not say: type and message are in it too.
    ///
    /// The rows that are there get none.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    static func addPayloadSizes(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE notifications ADD COLUMN byte_count INTEGER")
    }

    /// When a recipient first fetched and first read what they were sent.
    static let receipts = """
        CREATE TABLE receipts (
            run INTEGER NOT NULL,
            number INTEGER NOT NULL,
            fetched INTEGER,
            read INTEGER,
            PRIMARY KEY (run, number)
        ) STRICT, WITHOUT ROWID;
        """
}
