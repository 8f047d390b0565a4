/// The schema of the store, as the steps that lead to it.
///
/// A step is never changed once it was released; a new one is added, and it leaves a store that programs of the version before
/// can go on working with.
enum StoreSchema {
    /// One step; its number is its place, from 1.
    struct Step: Sendable {
        let name: String
        let sql: String
    }

    static let steps = [
        Step(name: "runs and deliveries", sql: runsAndDeliveries)
    ]

    /// Tables of which a run with many people has a partition of its own, so that deleting them is dropping it.
    static let partitioned = [
        "recipients", "notifications", "deliveries", "receipts", "telemetry",
    ]

    /// How many people a run has at least that gets partitions of its own: a partition costs the server more than the rows of a
    /// small run, which share one.
    static let partitionPeople = 10_000
}

extension StoreSchema {
    /// Runs, who they go to, what devices fetch and did with it, what became of each delivery, and whose the devices are.
    ///
    /// The tables and columns are those of the store in a file, and mean the same. Times are milliseconds since 1970. Names are
    /// compared by their bytes (collation C), as everywhere in hubsend.
    private static let runsAndDeliveries = """
        CREATE TABLE runs (
            key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id TEXT NOT NULL UNIQUE COLLATE "C",
            campaign TEXT NOT NULL COLLATE "C",
            hub TEXT NOT NULL COLLATE "C",
            occurrence TEXT NOT NULL COLLATE "C",
            is_rehearsal BOOLEAN NOT NULL,
            state TEXT NOT NULL COLLATE "C",
            reason TEXT,
            pause TEXT,
            resumes BIGINT,
            kind TEXT NOT NULL COLLATE "C",
            is_message_private BOOLEAN NOT NULL,
            campaign_path TEXT NOT NULL,
            delivery TEXT NOT NULL,
            fingerprints TEXT NOT NULL,
            push_options TEXT,
            plan TEXT,
            named BIGINT NOT NULL,
            duplicate BIGINT NOT NULL,
            excluded BIGINT NOT NULL,
            final BIGINT NOT NULL,
            requests BIGINT NOT NULL,
            fallback_requests BIGINT,
            stop_request BIGINT NOT NULL DEFAULT 0,
            has_waves BOOLEAN NOT NULL DEFAULT false,
            has_partitions BOOLEAN NOT NULL DEFAULT false,
            started BIGINT NOT NULL,
            finished BIGINT,
            expires BIGINT NOT NULL,
            revoked BIGINT,
            purged BIGINT,
            deliveries_deleted BIGINT
        );

        CREATE UNIQUE INDEX runs_by_occurrence ON runs (hub, campaign, occurrence)
            WHERE NOT is_rehearsal;
        CREATE INDEX runs_fetchable ON runs (expires)
            WHERE revoked IS NULL AND kind <> 'alert' AND state <> 'staging';
        CREATE INDEX runs_unfinished ON runs (hub, campaign)
            WHERE NOT is_rehearsal AND state <> 'finished';
        CREATE INDEX runs_with_deliveries ON runs (finished, key)
            WHERE deliveries_deleted IS NULL AND state = 'finished';

        -- `claimed`: recipients up to this number are or were `sending`; with waves, the highest of their numbers.
        -- `claimed_at`: when any was last marked so. Both change with each page: pages of the table keep room for that.
        CREATE TABLE run_platforms (
            run BIGINT NOT NULL REFERENCES runs,
            position BIGINT NOT NULL,
            platform TEXT NOT NULL COLLATE "C",
            claimed BIGINT NOT NULL DEFAULT 0,
            claimed_at BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (run, position),
            UNIQUE (run, platform)
        ) WITH (fillfactor = 50);

        CREATE TABLE run_waves (
            run BIGINT NOT NULL REFERENCES runs,
            number BIGINT NOT NULL,
            first BIGINT NOT NULL,
            last BIGINT NOT NULL,
            turn TEXT NOT NULL,
            zones TEXT NOT NULL,
            PRIMARY KEY (run, number)
        );

        -- `claimed`: recipients of the wave up to this number are or were `sending`; without a row, nobody.
        CREATE TABLE wave_claims (
            run BIGINT NOT NULL REFERENCES runs,
            platform BIGINT NOT NULL,
            wave BIGINT NOT NULL,
            claimed BIGINT NOT NULL,
            PRIMARY KEY (run, platform, wave)
        ) WITH (fillfactor = 50);

        -- Numbered in name order without a gap, or wave by wave and so in each. `notification`: which shared one they get.
        -- `place`: of who was forgotten and has no name, that of the one before them, behind whom they stand in pages.
        CREATE TABLE recipients (
            run BIGINT NOT NULL,
            number BIGINT NOT NULL,
            name TEXT NOT NULL COLLATE "C",
            notification BIGINT NOT NULL DEFAULT 0,
            place TEXT COLLATE "C",
            PRIMARY KEY (run, number)
        ) PARTITION BY LIST (run);
        CREATE TABLE recipients_few PARTITION OF recipients DEFAULT;
        CREATE INDEX recipients_by_name ON recipients (run, name);
        CREATE INDEX recipients_forgotten ON recipients (run, place, number)
            WHERE place IS NOT NULL;

        CREATE TABLE contents (
            key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            digest BYTEA NOT NULL UNIQUE,
            bytes BYTEA NOT NULL
        );

        -- `number` is the recipient's; 0 or less is one that a run's recipients share. `sealed`: all that is secret, encrypted.
        CREATE TABLE notifications (
            run BIGINT NOT NULL,
            number BIGINT NOT NULL,
            id TEXT NOT NULL COLLATE "C",
            type TEXT,
            message TEXT,
            media_type TEXT,
            content BIGINT,
            revoked BIGINT,
            sealed BYTEA,
            byte_count BIGINT,
            language TEXT,
            texts BYTEA,
            PRIMARY KEY (run, number)
        ) PARTITION BY LIST (run);
        CREATE TABLE notifications_few PARTITION OF notifications DEFAULT;
        -- The id is random: devices ask for it without naming the run.
        CREATE INDEX notifications_by_id ON notifications (id);
        CREATE INDEX notifications_by_content ON notifications (content)
            WHERE content IS NOT NULL;
        CREATE INDEX notifications_revoked ON notifications (run, number)
            WHERE revoked IS NOT NULL;

        -- One row at the most: tells the right key from a wrong one, and says nothing about it.
        CREATE TABLE payload_key (
            only_row BOOLEAN PRIMARY KEY DEFAULT true CHECK (only_row),
            check_value BYTEA NOT NULL
        );

        -- A row is written when something is known: what is claimed and has none is `sending`. `platform` is its position in the run.
        CREATE TABLE deliveries (
            run BIGINT NOT NULL,
            platform BIGINT NOT NULL,
            number BIGINT NOT NULL,
            state SMALLINT NOT NULL,
            attempts BIGINT NOT NULL,
            is_uncertain BOOLEAN NOT NULL,
            recorded BIGINT NOT NULL,
            detail TEXT,
            hub_message TEXT,
            PRIMARY KEY (run, platform, number)
        ) PARTITION BY LIST (run);
        CREATE TABLE deliveries_few PARTITION OF deliveries DEFAULT;
        CREATE INDEX deliveries_open ON deliveries (run, platform, number) WHERE state < 2;

        -- When a recipient first fetched and first read what they were sent.
        CREATE TABLE receipts (
            run BIGINT NOT NULL,
            number BIGINT NOT NULL,
            fetched BIGINT,
            read BIGINT,
            PRIMARY KEY (run, number)
        ) PARTITION BY LIST (run);
        CREATE TABLE receipts_few PARTITION OF receipts DEFAULT;

        CREATE TABLE telemetry (
            run BIGINT NOT NULL,
            platform BIGINT NOT NULL,
            number BIGINT NOT NULL,
            fate TEXT,
            told BIGINT NOT NULL,
            PRIMARY KEY (run, platform, number)
        ) PARTITION BY LIST (run);
        CREATE TABLE telemetry_few PARTITION OF telemetry DEFAULT;

        -- What stays of a run whose deliveries were deleted, as JSON; `is_begun`: that something of it is still to be deleted.
        CREATE TABLE run_sums (
            run BIGINT PRIMARY KEY REFERENCES runs,
            sums TEXT NOT NULL,
            is_begun BOOLEAN NOT NULL DEFAULT true
        );
        CREATE INDEX run_sums_begun ON run_sums (run) WHERE is_begun;

        CREATE TABLE registrations (
            id TEXT PRIMARY KEY COLLATE "C",
            username TEXT NOT NULL COLLATE "C",
            platform TEXT COLLATE "C",
            handle BYTEA,
            updated BIGINT NOT NULL
        );
        CREATE INDEX registrations_by_user ON registrations (username, updated);
        CREATE INDEX registrations_by_handle ON registrations (handle, platform)
            WHERE handle IS NOT NULL;

        CREATE TABLE schedules (
            hub TEXT NOT NULL COLLATE "C",
            campaign TEXT NOT NULL COLLATE "C",
            schedule TEXT NOT NULL,
            seen BIGINT NOT NULL,
            PRIMARY KEY (hub, campaign)
        );

        -- A keyed hash of each name that was forgotten, and, once there is any, of the empty one, which tells the right key.
        CREATE TABLE forgotten (
            hash BYTEA PRIMARY KEY,
            forgotten BIGINT NOT NULL
        );

        CREATE TABLE troubles (
            key TEXT PRIMARY KEY COLLATE "C",
            digest TEXT NOT NULL,
            told BIGINT NOT NULL
        );
        """
}
