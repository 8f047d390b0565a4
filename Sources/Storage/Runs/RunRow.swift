import CampaignCore
import FoundationEssentials
import GRDB

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

    /// Reads a run back.
    ///
    /// - Parameter row: of ``selection``.
    /// - Returns: the run.
    /// - Throws: `DatabaseError.damaged` when a column holds what was never written.
    static func record(_ row: Row) throws -> RunRecord {
        guard let hub = HubIdentity(row["hub"]),
            let state = RunState(rawValue: row["state"]),
            let kind = CampaignKind(rawValue: row["kind"])
        else { throw DatabaseError.damaged }
        let names: String = row["platforms"] ?? ""
        return RunRecord(
            id: RunID(checked: row["id"]), campaign: row["campaign"], hub: hub,
            occurrence: Occurrence(checked: row["occurrence"]), isRehearsal: row["is_rehearsal"],
            state: state, reason: row["reason"], kind: kind,
            platforms: try names.split(separator: " ").map { name in
                guard let platform = Platform(rawValue: String(name)) else {
                    throw DatabaseError.damaged
                }
                return platform
            },
            isMessagePrivate: row["is_message_private"], campaignPath: row["campaign_path"],
            delivery: try decode(row["delivery"]),
            fingerprints: try decode(row["fingerprints"]),
            counts: AudienceCounts(
                named: row["named"], duplicate: row["duplicate"], excluded: row["excluded"],
                final: row["final"]),
            requests: row["requests"], started: Timestamp.date(row["started"]),
            finished: (row["finished"] as Int64?).map(Timestamp.date),
            expires: Timestamp.date(row["expires"]),
            revoked: (row["revoked"] as Int64?).map(Timestamp.date))
    }

    /// Takes away a run that is to be staged anew; its recipients have been taken back before.
    ///
    /// - Returns: the number of the stop that somebody has asked it for; 0: none.
    /// - Throws: `DatabaseError`.
    static func removeStaging(_ id: RunID, _ db: Database) throws -> Int {
        let row = try Row.fetchOne(
            db, sql: "SELECT key, stop_request FROM runs WHERE id = ? AND state = ?",
            arguments: [id.text, RunState.staging.rawValue])
        guard let row else { return 0 }
        let key: Int64 = row["key"]
        try db.execute(sql: "DELETE FROM run_platforms WHERE run = ?", arguments: [key])
        try db.execute(sql: "DELETE FROM runs WHERE key = ?", arguments: [key])
        return row["stop_request"]
    }

    /// Writes a new run down.
    ///
    /// - Throws: `DatabaseError`.
    static func insert(_ run: RunRecord, _ db: Database) throws {
        let statement = """
            INSERT INTO runs (id, campaign, hub, occurrence, is_rehearsal, state, reason, kind,
                is_message_private, campaign_path, delivery, fingerprints, named, duplicate,
                excluded, final, requests, started, finished, expires)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try db.execute(
            sql: statement,
            arguments: [
                run.id.text, run.campaign, run.hub.description, run.occurrence.text,
                run.isRehearsal, run.state.rawValue, run.reason, run.kind.rawValue,
                run.isMessagePrivate, run.campaignPath, try encode(run.delivery),
                try encode(run.fingerprints), run.counts.named, run.counts.duplicate,
                run.counts.excluded, run.counts.final, run.requests,
                Timestamp.milliseconds(run.started), run.finished.map(Timestamp.milliseconds),
                Timestamp.milliseconds(run.expires),
            ])
        let key = db.lastInsertedRowID
        for (position, platform) in run.platforms.enumerated() {
            try db.execute(
                sql: "INSERT INTO run_platforms (run, position, platform) VALUES (?, ?, ?)",
                arguments: [key, position, platform.rawValue])
        }
    }

    /// A value as JSON with sorted keys.
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func decode<Value: Decodable>(_ text: String) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw DatabaseError.damaged
        }
    }
}
