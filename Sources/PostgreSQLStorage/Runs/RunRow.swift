import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

/// A run as a row of `runs`.
enum RunRow {
    /// More people than there are.
    private static let most = 1 << 40

    /// Requests of a row of `runs`, without those of current members, which are added when they
    /// leave.
    static let requests = """
        (requests + (SELECT coalesce(sum(m.requests), 0)::bigint FROM run_members m
            WHERE m.run = runs.key))
        """

    /// All that ``record(_:)`` reads, in its order; the platforms in theirs.
    static let selection = """
        SELECT id, campaign, hub, occurrence, is_rehearsal, state, reason, pause, resumes, kind,
            is_message_private, push_options, campaign_path, delivery, fingerprints, named,
            duplicate, excluded, final, \(requests), fallback_requests, started, finished, expires,
            revoked, plan, deliveries_deleted,
            array_to_string(ARRAY(SELECT platform FROM run_platforms
                WHERE run = runs.key ORDER BY position), ' '),
            started_by
        FROM runs
        """

    /// Reads a row of ``selection``; throws ``DamagedValue`` for a value that is never written.
    static func record(_ row: PostgreSQLRow) throws -> RunRecord {
        guard let id = RunID(try row.text(0)), let hub = HubIdentity(try row.text(2)),
            let state = RunState(rawValue: try row.text(5)),
            let kind = CampaignKind(rawValue: try row.text(9))
        else { throw DamagedValue() }
        return RunRecord(
            id: id, campaign: try row.text(1), hub: hub,
            occurrence: Occurrence(checked: try row.text(3)),
            isRehearsal: try row.bool(4), state: state,
            reason: try row.optionalText(6).map(StoredText.decode),
            pause: try known(row.optionalText(7), RunPause.init(rawValue:)),
            resumes: try time(row, 8), kind: kind,
            platforms: try row.text(27).split(separator: " ").map { name in
                guard let platform = Platform(rawValue: String(name)) else { throw DamagedValue() }
                return platform
            },
            isMessagePrivate: try row.bool(10),
            pushOptions: try StoredJSON.pushOptions(row.optionalText(11)),
            campaignPath: try row.text(12), delivery: try StoredJSON.decode(row.text(13)),
            fingerprints: try StoredJSON.decode(row.text(14)),
            counts: AudienceCounts(
                named: try count(row, 15), duplicate: try count(row, 16),
                excluded: try count(row, 17), final: try count(row, 18)),
            requests: try count(row, 19), fallbackRequests: try row.optionalInt(20) ?? 0,
            started: StoredTime.date(try row.int64(21)), finished: try time(row, 22),
            expires: StoredTime.date(try row.int64(23)), revoked: try time(row, 24),
            plan: try known(row.optionalText(25)) { PlanID($0) },
            deliveriesDeleted: try time(row, 26),
            starter: try row.optionalText(28).map(StoredJSON.decode))
    }

    private static func time(_ row: PostgreSQLRow, _ column: Int) throws -> Date? {
        try row.optionalInt64(column).map(StoredTime.date)
    }

    private static func count(_ row: PostgreSQLRow, _ column: Int) throws -> Int {
        let count = try row.int(column)
        guard (0...most).contains(count) else { throw DamagedValue() }
        return count
    }

    private static func known<Value>(
        _ text: String?, _ value: (String) -> Value?
    ) throws(DamagedValue) -> Value? {
        guard let text else { return nil }
        guard let known = value(text) else { throw DamagedValue() }
        return known
    }

    // MARK: Beginning

    /// Inserts a run, or replaces one of its id that is still staging; `people` is an estimate.
    static func begin(_ run: RunRecord, expecting people: Int, _ db: PostgreSQLConnection) throws {
        let exists = StoreError.runExists(campaign: run.campaign, occurrence: run.occurrence)
        let isLarge = people >= StoreSchema.partitionPeople
        let found = try db.row(
            "SELECT key, state, has_partitions, stop_request FROM runs WHERE id = $1 FOR UPDATE",
            [run.id.text])
        var known: Int64?
        var stopRequest = 0
        if let found {
            guard try found.text(1) == RunState.staging.rawValue else { throw exists }
            let key = try found.int64(0)
            // Partitions that it has are used again: taking them away would keep everybody else waiting.
            if try found.bool(2) || !isLarge { known = key }
            stopRequest = try found.int(3)
            for table in [
                "wave_claims", "run_waves", "run_platforms", "run_contents",
                "revoked_notifications", "run_members", "claimed_pages",
            ] {
                try db.execute("DELETE FROM \(table) WHERE run = $1", [key])
            }
            try db.execute("DELETE FROM runs WHERE key = $1", [key])
        }
        let key = try known ?? newKey(isLarge: isLarge, db)
        do {
            try insert(run, key: key, stopRequest: stopRequest, db)
        } catch let error as PostgreSQLError where error.kind == .uniqueViolation {
            // Another host has been faster.
            throw exists
        }
        for (position, platform) in run.platforms.enumerated() {
            try db.execute(
                "INSERT INTO run_platforms (run, position, platform) VALUES ($1, $2, $3)",
                [key, position, platform.rawValue])
        }
        if known == nil, isLarge { try RunPartitions.make(for: key, db) }
    }

    /// A key that no run has; a large run has partitions of its own.
    static func newKey(isLarge: Bool, _ db: PostgreSQLConnection) throws -> Int64 {
        let sequence = isLarge ? "'partitioned_keys'" : "pg_get_serial_sequence('runs', 'key')"
        guard let row = try db.row("SELECT nextval(\(sequence))") else { throw DamagedValue() }
        return try row.int64(0)
    }

    private static func insert(
        _ run: RunRecord, key: Int64, stopRequest: Int, _ db: PostgreSQLConnection
    ) throws {
        let options =
            run.pushOptions == PushOptions() ? nil : try StoredJSON.encode(run.pushOptions)
        let values: [(column: String, value: any PostgreSQLBindable)] = [
            ("key", key), ("id", run.id.text), ("campaign", run.campaign),
            ("hub", run.hub.description), ("occurrence", run.occurrence.text),
            ("is_rehearsal", run.isRehearsal), ("state", run.state.rawValue),
            ("reason", run.reason.map(StoredText.encode)), ("pause", run.pause?.rawValue),
            ("resumes", run.resumes.map(StoredTime.milliseconds)), ("kind", run.kind.rawValue),
            ("is_message_private", run.isMessagePrivate), ("campaign_path", run.campaignPath),
            ("delivery", try StoredJSON.encode(run.delivery)),
            ("fingerprints", try StoredJSON.encode(run.fingerprints)), ("push_options", options),
            ("plan", run.plan?.text), ("named", run.counts.named),
            ("duplicate", run.counts.duplicate), ("excluded", run.counts.excluded),
            ("final", run.counts.final), ("requests", run.requests),
            ("stop_request", stopRequest),
            ("has_partitions", key >= StoreSchema.firstPartitionedKey),
            ("started", StoredTime.milliseconds(run.started)),
            ("finished", run.finished.map(StoredTime.milliseconds)),
            ("expires", StoredTime.milliseconds(run.expires)),
            ("started_by", try run.starter.map(StoredJSON.encode)),
        ]
        let places = values.indices.map { "$\($0 + 1)" }
        try db.execute(
            """
            INSERT INTO runs (\(values.map(\.column).joined(separator: ", ")))
            VALUES (\(places.joined(separator: ", ")))
            """, values.map(\.value))
    }
}
