import CampaignCore
import FoundationEssentials
import GRDB
import Storage

/// A run as a row of `runs`.
enum RunRow {
    /// All that ``record(_:)`` reads, the platforms in their order.
    static let selection = """
        SELECT runs.*,
            (SELECT group_concat(platform, ' ') FROM
                (SELECT platform FROM run_platforms WHERE run = runs.key ORDER BY position))
                AS platforms
        FROM runs
        """

    /// Reads a row of ``selection``; throws `DatabaseError.damaged` for a value that is never
    /// written.
    static func record(_ row: Row) throws -> RunRecord {
        let values = RunValues(row)
        guard let hub = HubIdentity(try values["hub"] as String),
            let state = RunState(rawValue: try values["state"]),
            let kind = CampaignKind(rawValue: try values["kind"]),
            let id = RunID(try values["id"] as String)
        else { throw DatabaseError.damaged }
        let names: String = try values["platforms"] ?? ""
        return RunRecord(
            id: id, campaign: try values["campaign"], hub: hub,
            occurrence: Occurrence(checked: try values["occurrence"]),
            isRehearsal: try values["is_rehearsal"], state: state, reason: try values["reason"],
            pause: try pause(values["pause"]),
            resumes: (try values["resumes"] as Int64?).map(StoredTime.date), kind: kind,
            platforms: try names.split(separator: " ").map { name in
                guard let platform = Platform(rawValue: String(name)) else {
                    throw DatabaseError.damaged
                }
                return platform
            },
            isMessagePrivate: try values["is_message_private"],
            pushOptions: try StoredJSON.pushOptions(values["push_options"]),
            campaignPath: try values["campaign_path"],
            delivery: try StoredJSON.decode(values["delivery"]),
            fingerprints: try StoredJSON.decode(values["fingerprints"]),
            counts: AudienceCounts(
                named: try values.count("named"), duplicate: try values.count("duplicate"),
                excluded: try values.count("excluded"), final: try values.count("final")),
            requests: try values.count("requests"),
            fallbackRequests: (try values["fallback_requests"] as Int?) ?? 0,
            started: StoredTime.date(try values["started"]),
            finished: (try values["finished"] as Int64?).map(StoredTime.date),
            expires: StoredTime.date(try values["expires"]),
            revoked: (try values["revoked"] as Int64?).map(StoredTime.date),
            plan: try plan(values["plan"]),
            deliveriesDeleted: (try values["deliveries_deleted"] as Int64?)
                .map(StoredTime.date),
            starter: try (values["started_by"] as String?).map(StoredJSON.decode))
    }

    private static func pause(_ text: String?) throws -> RunPause? {
        guard let text else { return nil }
        guard let pause = RunPause(rawValue: text) else { throw DatabaseError.damaged }
        return pause
    }

    private static func plan(_ text: String?) throws -> PlanID? {
        guard let text else { return nil }
        guard let plan = PlanID(text) else { throw DatabaseError.damaged }
        return plan
    }

    /// A row's values, each of the kind that is written there, or damage.
    private struct RunValues {
        /// More people than there are.
        private static let most = 1 << 40
        private let row: Row

        init(_ row: Row) {
            self.row = row
        }

        subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(
            column: String
        ) -> Value {
            get throws { try row.decode(Value.self, forColumn: column) }
        }

        func count(_ column: String) throws -> Int {
            let count: Int = try self[column]
            guard (0...Self.most).contains(count) else { throw DatabaseError.damaged }
            return count
        }
    }

    /// Removes a run without recipients, to be staged anew; returns its stop request's number, or
    /// 0.
    static func removeStaging(_ id: RunID, _ db: Database) throws -> Int {
        let row = try Row.fetchOne(
            db, sql: "SELECT key, stop_request FROM runs WHERE id = ? AND state = ?",
            arguments: [id.text, RunState.staging.rawValue])
        guard let row else { return 0 }
        let key: Int64 = row["key"]
        try WaveRow.removeRows(of: key, db)
        try db.execute(sql: "DELETE FROM run_platforms WHERE run = ?", arguments: [key])
        try db.execute(sql: "DELETE FROM runs WHERE key = ?", arguments: [key])
        return row["stop_request"]
    }

    static func insert(_ run: RunRecord, _ db: Database) throws {
        let statement = """
            INSERT INTO runs (id, campaign, hub, occurrence, is_rehearsal, state, reason, kind,
                is_message_private, campaign_path, delivery, fingerprints, named, duplicate,
                excluded, final, requests, started, finished, expires, push_options, plan, pause,
                resumes, started_by, recipients_digest, notifications_digest, deliveries_digest, seal)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0,
                0)
            """
        try db.execute(
            sql: statement,
            arguments: [
                run.id.text, run.campaign, run.hub.description, run.occurrence.text,
                run.isRehearsal, run.state.rawValue, run.reason, run.kind.rawValue,
                run.isMessagePrivate, run.campaignPath, try StoredJSON.encode(run.delivery),
                try StoredJSON.encode(run.fingerprints), run.counts.named, run.counts.duplicate,
                run.counts.excluded, run.counts.final, run.requests,
                StoredTime.milliseconds(run.started), run.finished.map(StoredTime.milliseconds),
                StoredTime.milliseconds(run.expires),
                run.pushOptions == PushOptions() ? nil : try StoredJSON.encode(run.pushOptions),
                run.plan?.text, run.pause?.rawValue, run.resumes.map(StoredTime.milliseconds),
                try run.starter.map(StoredJSON.encode),
            ])
        let key = db.lastInsertedRowID
        for (position, platform) in run.platforms.enumerated() {
            try db.execute(
                sql: """
                    INSERT INTO run_platforms (run, position, platform, seal) VALUES (?, ?, ?, 0)
                    """,
                arguments: [key, position, platform.rawValue])
            try RowSeal.renew(platform: position, of: key, db)
        }
        try RowSeal.renew(run: key, db)
    }
}
