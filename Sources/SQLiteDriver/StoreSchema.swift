import CampaignCore
import GRDB
import Storage

/// The schema of the store, as the steps that lead to it.
///
/// A step is never changed once it is released; new steps are added instead.
enum StoreSchema {
    /// Marks the file as a hubsend store (`PRAGMA application_id`): "hubs".
    static let applicationID = 0x6875_6273
    /// The number of bytes that ``isMarked(_:)`` needs.
    static let headerLength = 72

    /// Whether a file's first bytes are those of a store (SQLite's database file format, section 1.3).
    static func isMarked(_ header: [UInt8]) -> Bool {
        guard header.count >= headerLength, header.starts(with: "SQLite format 3\0".utf8) else {
            return false
        }
        return header[68..<headerLength].reduce(0) { $0 << 8 | Int($1) } == applicationID
    }

    static let migrator: DatabaseMigrator = {
        // Each step leaves foreign keys intact, and checking a store with ten million rows would
        // take minutes.
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        for (name, sql) in steps {
            migrator.registerMigration(name) { db in try db.execute(sql: sql) }
        }
        migrator.registerMigration("as on a server") { db in
            try db.execute(sql: evenedOut)
            try addSkipReasons(db)
        }
        return migrator
    }()

    private static let steps: [(name: String, sql: String)] = [
        ("runs and deliveries", runsAndDeliveries),
        // Checksums that reveal damage: ``RunDigests``, ``RowSeal`` and ``StoreProgress``; older
        // rows have none.
        (
            "digests",
            """
            ALTER TABLE runs ADD COLUMN recipients_digest INTEGER;
            ALTER TABLE runs ADD COLUMN notifications_digest INTEGER;
            ALTER TABLE runs ADD COLUMN deliveries_digest INTEGER;
            ALTER TABLE runs ADD COLUMN seal INTEGER;
            ALTER TABLE run_platforms ADD COLUMN seal INTEGER;

            \(StoreProgress.table)
            """
        ),
        // The length of the content, which `sealed` does not show; older rows have none.
        ("payload sizes", "ALTER TABLE notifications ADD COLUMN byte_count INTEGER"),
        // Texts in addition to type and message (``NotificationTexts``), and what a run's pushes
        // have in common. Shared notifications have the numbers 0 (the default), -1, -2 and so on;
        // only these have a `language`, because otherwise it would reveal something about a person.
        (
            "languages",
            """
            ALTER TABLE notifications ADD COLUMN language TEXT;
            ALTER TABLE notifications ADD COLUMN texts BLOB;
            ALTER TABLE recipients ADD COLUMN notification INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE runs ADD COLUMN push_options TEXT;
            """
        ),
        // The plan with which a run was started; older rows have none.
        ("plans of runs", "ALTER TABLE runs ADD COLUMN plan TEXT"),
        // Why runs are paused, which determines whether they continue by themselves, and since when
        // schedules are known.
        (
            "schedules",
            """
            ALTER TABLE runs ADD COLUMN pause TEXT;
            CREATE TABLE schedules (
                hub TEXT NOT NULL,
                campaign TEXT NOT NULL,
                schedule TEXT NOT NULL,
                seen INTEGER NOT NULL,
                PRIMARY KEY (hub, campaign)
            ) STRICT, WITHOUT ROWID;
            """
        ),
        // A keyed hash of each forgotten name (``NameHash``), and of the empty name, to recognise
        // the key.
        (
            "forgotten people",
            """
            CREATE TABLE forgotten (
                hash BLOB PRIMARY KEY,
                forgotten INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """
        ),
        ("waves", waves),
        // The push services' results for a message; null if its request had several recipients.
        (
            "telemetry",
            """
            CREATE TABLE telemetry (
                run INTEGER NOT NULL,
                platform INTEGER NOT NULL,
                number INTEGER NOT NULL,
                fate TEXT,
                told INTEGER NOT NULL,
                PRIMARY KEY (run, platform, number)
            ) STRICT, WITHOUT ROWID;
            """
        ),
        // How many of a run's requests its fallbacks have covered; NULL means none.
        ("fallbacks", "ALTER TABLE runs ADD COLUMN fallback_requests INTEGER"),
        // Which persistent problems were reported and when, and the index that `run --due` needs.
        (
            "troubles told",
            """
            CREATE TABLE troubles (
                key TEXT PRIMARY KEY,
                digest TEXT NOT NULL,
                told INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX runs_unfinished ON runs (hub, campaign) WHERE is_rehearsal = 0
                AND state <> '\(RunState.finished.rawValue)';
            """
        ),
        ("sums of runs", sums),
        // The person who started a run, and the host, as JSON; a run may also pause because its hub
        // is missing.
        ("who started runs", "ALTER TABLE runs ADD COLUMN started_by TEXT"),
        // Finds a person in a run, and the shared notification that they get. Names are inserted in
        // order, so the index grows at its end.
        (
            "recipients by name",
            "CREATE INDEX recipients_by_name ON recipients (run, name, notification)"
        ),
    ]
}

extension StoreSchema {
    private static let runsAndDeliveries = """
        PRAGMA application_id = \(applicationID);

        -- Times are milliseconds since 1970; `purged` is when the payloads were deleted.
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
        CREATE INDEX runs_fetchable ON runs (expires) WHERE \(StoredRun.isFetchable);

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

        -- Numbered in name order without a gap, wave by wave if there are any (`RecipientPage`).
        -- Tables with a row for each person have no foreign keys: whoever writes a row has looked up
        -- its run in the same transaction.
        CREATE TABLE recipients (
            run INTEGER NOT NULL,
            number INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (run, number)
        ) STRICT, WITHOUT ROWID;

        -- `number` is the recipient's; 0 or less: the run's recipients share it. What is secret is in
        -- `sealed` alone, anything else in `message`, `type` and `contents`. The ids are random, so
        -- their index is filled once, sorted, when staging ends.
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

        -- When a recipient first fetched and first read what they were sent.
        CREATE TABLE receipts (
            run INTEGER NOT NULL,
            number INTEGER NOT NULL,
            fetched INTEGER,
            read INTEGER,
            PRIMARY KEY (run, number)
        ) STRICT, WITHOUT ROWID;

        -- A row exists once something is known; a claimed delivery without one is `sending`.
        -- `platform` is its position in the run, `state` a `DeliveryState`.
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

        -- Which registration id at the hub is whose; `handle` is a digest.
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

    /// The waves of a run, how far each is claimed (``ClaimedRanges``), and when the run continues.
    ///
    /// `turn` and `zones` are JSON. Recipients of the wave up to `wave_claims.claimed` are or were
    /// `sending`; without a row, nobody is. With waves, `run_platforms.claimed` is the highest of
    /// these numbers. `waves_digest` is the sum of the rows' digests, NULL without waves.
    private static let waves = """
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
        """

    /// The totals of runs whose deliveries were deleted (``RunSums``), and indexes of the runs that
    /// may be deleted next.
    ///
    /// A run has sums once the deletion has begun; `is_begun` is 1 until all its rows are gone.
    private static let sums = """
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
        """

    /// Names and conditions are the same as in the store on a server, so that statements can be
    /// shared.
    ///
    /// `run_sums_begun` is kept, because older processes that have the file open refer to it
    /// (`INDEXED BY`). `place` determines where pages list forgotten people, who have no name:
    /// after the name in `place`.
    private static let evenedOut = """
        ALTER TABLE runs ADD COLUMN has_waves INTEGER
            GENERATED ALWAYS AS (waves_digest IS NOT NULL) VIRTUAL;
        DROP INDEX runs_by_occurrence;
        CREATE UNIQUE INDEX runs_by_occurrence ON runs (hub, campaign, occurrence)
            WHERE NOT is_rehearsal;
        DROP INDEX runs_unfinished;
        CREATE INDEX runs_unfinished ON runs (hub, campaign)
            WHERE NOT is_rehearsal AND state <> '\(RunState.finished.rawValue)';
        ALTER TABLE registrations ADD COLUMN username TEXT
            GENERATED ALWAYS AS (user) VIRTUAL;
        CREATE INDEX run_sums_unfinished ON run_sums (run) WHERE is_begun;

        ALTER TABLE recipients ADD COLUMN place TEXT;
        CREATE INDEX recipients_forgotten ON recipients (run, place, number)
            WHERE place IS NOT NULL;
        UPDATE recipients SET place = coalesce((
            SELECT b.name FROM recipients b
            WHERE b.run = recipients.run AND b.number < recipients.number AND b.name <> ''
                AND b.number >= coalesce((SELECT max(first) FROM run_waves w
                    WHERE w.run = recipients.run AND w.first <= recipients.number), 1)
            ORDER BY b.number DESC LIMIT 1), '')
        WHERE run IN (SELECT key FROM runs) AND name = '';
        """

    /// Why deliveries were skipped; in older rows, the detail begins with the reason.
    private static func addSkipReasons(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE deliveries ADD COLUMN skip_reason INTEGER")
        var changes: [Int64: Int64] = [:]
        try db.stream(
            """
            UPDATE deliveries SET skip_reason = \(EarlierSkipReasons.number)
            WHERE state = \(EarlierSkipReasons.skipped)
            RETURNING run, platform, number, skip_reason
            """, []
        ) { row in
            guard let reason = try row.optionalInt(3) else { return }
            let digest = RunDigests.skipped(reason, try row.int(1), try row.int(2))
            changes[try row.int64(0), default: 0] &+= digest
        }
        for (run, change) in changes {
            let sum = "changed_sum(deliveries_digest, 0, ?2)"
            // A damaged row keeps its wrong seal, so that the damage can still be found.
            try db.run(
                """
                UPDATE runs SET deliveries_digest = \(sum),
                    seal = CASE WHEN seal IS NOT NULL THEN \(sealOfRun(withDeliveries: sum)) END
                WHERE key = ?1
                    AND (seal IS NULL OR seal = \(sealOfRun(withDeliveries: "deliveries_digest")))
                """, [run, change])
        }
    }

    /// The columns of a run that ``RowSeal`` covers at this step, without later columns.
    private static func sealOfRun(withDeliveries digest: String) -> String {
        """
        row_seal(27, key, id, campaign, hub, occurrence, is_rehearsal, state, reason, kind,
            is_message_private, campaign_path, delivery, fingerprints, named, duplicate, excluded,
            final, requests, stop_request, started, finished, expires, revoked, purged,
            recipients_digest, notifications_digest, \(digest), push_options, plan, pause, resumes,
            waves_digest, fallback_requests, deliveries_deleted, started_by)
        """
    }
}
