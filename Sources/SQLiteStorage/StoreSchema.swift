import CampaignCore
import FoundationEssentials
import GRDB

/// The schema of the store, as the steps that lead to it.
///
/// A step is never changed once it was released; a new one is added.
enum StoreSchema {
    /// Marks the file as hubsend's (`PRAGMA application_id`): "hubs".
    static let applicationID = 0x6875_6273
    /// How many bytes ``isMarked(_:)`` needs.
    static let headerLength = 72

    /// Whether a file's first bytes are those of a store (SQLite's database file format, section 1.3).
    static func isMarked(_ header: [UInt8]) -> Bool {
        guard header.count >= headerLength, header.starts(with: "SQLite format 3\0".utf8) else {
            return false
        }
        return header[68..<headerLength].reduce(0) { $0 << 8 | Int($1) } == applicationID
    }

    static let migrator: DatabaseMigrator = {
        // Each step leaves foreign keys whole, and checking a store of ten million rows takes minutes.
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        migrator.registerMigration("runs and deliveries", migrate: createRunsAndDeliveries)
        migrator.registerMigration("digests", migrate: addDigests)
        migrator.registerMigration("payload sizes", migrate: addPayloadSizes)
        migrator.registerMigration("languages", migrate: addLanguages)
        migrator.registerMigration("plans of runs", migrate: addPlans)
        migrator.registerMigration("schedules", migrate: addSchedules)
        migrator.registerMigration("forgotten people", migrate: addForgotten)
        migrator.registerMigration("waves", migrate: addWaves)
        migrator.registerMigration("telemetry", migrate: addTelemetry)
        migrator.registerMigration("fallbacks", migrate: addFallbacks)
        migrator.registerMigration("troubles told", migrate: addTroubles)
        migrator.registerMigration("sums of runs", migrate: addSums)
        migrator.registerMigration("who started runs", migrate: addStarters)
        migrator.registerMigration("recipients by name", migrate: addNames)
        return migrator
    }()
}

extension StoreSchema {
    /// Runs, who they go to, what devices fetch and did with it, what became of each delivery, and whose the devices are.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func createRunsAndDeliveries(_ db: Database) throws {
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: runs)
        try db.execute(sql: recipients)
        try db.execute(sql: notifications)
        try db.execute(sql: receipts)
        try db.execute(sql: deliveries)
        try db.execute(sql: registrations)
    }

    /// Runs whose notifications devices may fetch until they expire, as the index of them and those who ask it say.
    static let isFetchable = """
        revoked IS NULL AND kind <> '\(CampaignKind.alert.rawValue)'
            AND state <> '\(RunState.staging.rawValue)'
        """

    /// Times are milliseconds since 1970; `revoked` is when its payloads were taken back, `purged` when they were deleted.
    private static let runs = """
        CREATE TABLE runs (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            campaign TEXT NOT NULL,
            hub TEXT NOT NULL,
            occurrence TEXT NOT NULL,
            is_rehearsal INTEGER NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            kind TEXT NOT NULL,
            is_message_private INTEGER NOT NULL,
            campaign_path TEXT NOT NULL,
            delivery TEXT NOT NULL,
            fingerprints TEXT NOT NULL,
            named INTEGER NOT NULL,
            duplicate INTEGER NOT NULL,
            excluded INTEGER NOT NULL,
            final INTEGER NOT NULL,
            requests INTEGER NOT NULL,
            stop_request INTEGER NOT NULL DEFAULT 0,
            started INTEGER NOT NULL,
            finished INTEGER,
            expires INTEGER NOT NULL,
            revoked INTEGER,
            purged INTEGER
        ) STRICT;

        CREATE UNIQUE INDEX runs_by_occurrence ON runs (hub, campaign, occurrence)
            WHERE is_rehearsal = 0;
        CREATE INDEX runs_fetchable ON runs (expires) WHERE \(isFetchable);

        -- `claimed`: recipients up to this number are or were `sending`; `claimed_at`: when any was last marked so.
        CREATE TABLE run_platforms (
            run INTEGER NOT NULL REFERENCES runs,
            position INTEGER NOT NULL,
            platform TEXT NOT NULL,
            claimed INTEGER NOT NULL DEFAULT 0,
            claimed_at INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (run, position),
            UNIQUE (run, platform)
        ) STRICT, WITHOUT ROWID;
        """

    /// Numbered in name order without a gap, or wave by wave and so in each (``RecipientOrder``).
    ///
    /// The tables of one row a person name no parent: each of their rows is written in the transaction that looked its run up,
    /// and SQLite would look it up once more for every row.
    private static let recipients = """
        CREATE TABLE recipients (
            run INTEGER NOT NULL,
            number INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (run, number)
        ) STRICT, WITHOUT ROWID;
        """

    /// A row is written when something is known: what is claimed and has none is `sending`.
    ///
    /// `platform` is its position in the run, `state` a ``DeliveryState``.
    private static let deliveries = """
        CREATE TABLE deliveries (
            run INTEGER NOT NULL,
            platform INTEGER NOT NULL,
            number INTEGER NOT NULL,
            state INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            is_uncertain INTEGER NOT NULL,
            recorded INTEGER NOT NULL,
            detail TEXT,
            hub_message TEXT,
            PRIMARY KEY (run, platform, number)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX deliveries_open ON deliveries (run, platform, number) WHERE state < 2;
        """
}

extension StoreSchema {
    /// `number` is the recipient's; 0 or less is a notification that a run's recipients share.
    ///
    /// What is secure or was rendered for one person stands in `sealed` alone; anything else in `message`, `type` and `contents`.
    /// The ids are random, so their tree is filled once, sorted, when staging ends.
    private static let notifications = """
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
    private static func addPayloadSizes(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE notifications ADD COLUMN byte_count INTEGER")
    }

    /// What notifications say beside type and message (``NotificationTexts``), which of those that are shared a recipient gets, and what
    /// a run's pushes have in common.
    ///
    /// Shared notifications have the numbers 0, for everybody whose language has none of its own, and -1, -2 and so on; only of
    /// them `language` is written, since of a person it says something. The rows that are there are of runs with one for all.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func addLanguages(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE notifications ADD COLUMN language TEXT;
                ALTER TABLE notifications ADD COLUMN texts BLOB;
                ALTER TABLE recipients ADD COLUMN notification INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE runs ADD COLUMN push_options TEXT;
                """)
    }

    /// When a recipient first fetched and first read what they were sent.
    private static let receipts = """
        CREATE TABLE receipts (
            run INTEGER NOT NULL,
            number INTEGER NOT NULL,
            fetched INTEGER,
            read INTEGER,
            PRIMARY KEY (run, number)
        ) STRICT, WITHOUT ROWID;
        """
}

extension StoreSchema {
    /// Which registration id at the hub is whose; `handle` is a digest.
    private static let registrations = """
        CREATE TABLE registrations (
            id TEXT PRIMARY KEY,
            user TEXT NOT NULL,
            platform TEXT,
            handle BLOB,
            updated INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX registrations_by_user ON registrations (user, updated);
        CREATE INDEX registrations_by_handle ON registrations (handle, platform)
            WHERE handle IS NOT NULL;
        """
}

extension StoreSchema {
    /// What tells damage: ``RunDigests``, ``RowSeal`` and ``StoreProgress``.
    ///
    /// The rows that are there get none.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func addDigests(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE runs ADD COLUMN recipients_digest INTEGER;
                ALTER TABLE runs ADD COLUMN notifications_digest INTEGER;
                ALTER TABLE runs ADD COLUMN deliveries_digest INTEGER;
                ALTER TABLE runs ADD COLUMN seal INTEGER;
                ALTER TABLE run_platforms ADD COLUMN seal INTEGER;
                """)
        try db.execute(sql: StoreProgress.table)
    }
}

extension StoreSchema {
    /// The plan that a run was begun by.
    ///
    /// The rows that are there have none.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func addPlans(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE runs ADD COLUMN plan TEXT")
    }
}

extension StoreSchema {
    /// Whether paused runs go on by themselves, and since when schedules are known.
    ///
    /// Of the runs that are there, nothing says it.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func addSchedules(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE runs ADD COLUMN pause TEXT;
                CREATE TABLE schedules (
                    hub TEXT NOT NULL,
                    campaign TEXT NOT NULL,
                    schedule TEXT NOT NULL,
                    seen INTEGER NOT NULL,
                    PRIMARY KEY (hub, campaign)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// Who was forgotten: a keyed hash of each name (``NameHash``), and, once there is any, of the empty one, which tells the right
    /// key from another.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func addForgotten(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE forgotten (
                    hash BLOB PRIMARY KEY,
                    forgotten INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """)
    }
}

extension StoreSchema {
    /// In which waves a run's recipients are, how far each of them is claimed (``ClaimedRanges``), and when a run that waits for
    /// one goes on.
    ///
    /// `turn` and `zones` are JSON. `wave_claims.claimed`: recipients of the wave up to this number are or were `sending`; without
    /// a row, nobody. In a run with waves `run_platforms.claimed` is the highest of these numbers. The digests of the rows are added
    /// up in `waves_digest`, which is NULL where a run has no waves, as in the runs that are there.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func addWaves(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE runs ADD COLUMN resumes INTEGER;
                ALTER TABLE runs ADD COLUMN waves_digest INTEGER;
                ALTER TABLE run_platforms ADD COLUMN waves_digest INTEGER;

                CREATE TABLE run_waves (
                    run INTEGER NOT NULL REFERENCES runs,
                    number INTEGER NOT NULL,
                    first INTEGER NOT NULL,
                    last INTEGER NOT NULL,
                    turn TEXT NOT NULL,
                    zones TEXT NOT NULL,
                    PRIMARY KEY (run, number)
                ) STRICT, WITHOUT ROWID;

                CREATE TABLE wave_claims (
                    run INTEGER NOT NULL REFERENCES runs,
                    platform INTEGER NOT NULL,
                    wave INTEGER NOT NULL,
                    claimed INTEGER NOT NULL,
                    PRIMARY KEY (run, platform, wave)
                ) STRICT, WITHOUT ROWID;
                """)
    }
}

extension StoreSchema {
    /// What push services made of a delivery's message; null where its request was shared, which tells nothing of one person.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func addTelemetry(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE telemetry (
                    run INTEGER NOT NULL,
                    platform INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    fate TEXT,
                    told INTEGER NOT NULL,
                    PRIMARY KEY (run, platform, number)
                ) STRICT, WITHOUT ROWID;
                """)
    }
}

extension StoreSchema {
    /// How many of a run's requests its fallbacks have seen to; NULL: of none.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func addFallbacks(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE runs ADD COLUMN fallback_requests INTEGER")
    }
}

extension StoreSchema {
    /// Runs that have not ended, as their index and those who ask it say.
    static let isUnfinished = "is_rehearsal = 0 AND state <> '\(RunState.finished.rawValue)'"

    /// Which lasting troubles people were told of and when, and the runs that `run --due` looks for each minute.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func addTroubles(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE troubles (
                    key TEXT PRIMARY KEY,
                    digest TEXT NOT NULL,
                    told INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX runs_unfinished ON runs (hub, campaign) WHERE \(isUnfinished);
                """)
    }
}

extension StoreSchema {
    /// Who started a run, and where, as JSON; and runs may be paused since their hub does not exist.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func addStarters(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE runs ADD COLUMN started_by TEXT")
    }

    /// What stays of runs whose deliveries were deleted (``RunSums``), and which runs that may happen to.
    ///
    /// A run has sums from when the deletion begins (`deliveries_deleted`); `is_begun` is 1 until all its rows are gone.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func addSums(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE runs ADD COLUMN deliveries_deleted INTEGER;
                CREATE INDEX runs_with_deliveries ON runs (finished)
                    WHERE deliveries_deleted IS NULL;
                CREATE INDEX runs_with_payloads ON runs (finished) WHERE purged IS NULL;
                CREATE TABLE run_sums (
                    run INTEGER PRIMARY KEY REFERENCES runs,
                    is_begun INTEGER NOT NULL DEFAULT 1,
                    sums TEXT NOT NULL,
                    seal INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX run_sums_begun ON run_sums (run) WHERE is_begun = 1;
                """)
    }
}

extension StoreSchema {
    /// Finds a person in a run, and which shared notification they get.
    ///
    /// Names come in order, so the index grows at its end.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    private static func addNames(_ db: Database) throws {
        try db.execute(
            sql: "CREATE INDEX recipients_by_name ON recipients (run, name, notification)")
    }
}
