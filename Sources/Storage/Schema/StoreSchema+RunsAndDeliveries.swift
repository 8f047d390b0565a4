import CampaignCore
import GRDB

extension StoreSchema {
    /// Runs, who they go to, what devices fetch and did with it, what became of each delivery, and whose the devices are.
    ///
    /// - Throws: `DatabaseError` when the store cannot be written.
    static func createRunsAndDeliveries(_ db: Database) throws {
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

    /// Numbered in name order without a gap, so that a name is found by halving (``RecipientOrder``) and needs no tree of its own.
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
