package import CampaignCore
import FoundationEssentials

/// A run, read from a row of `runs`.
package enum RunRow {
    /// This is more than the world's population.
    private static let most = 1 << 40

    package static func selection(_ dialect: SQLDialect) -> String {
        """
        SELECT id, campaign, hub, occurrence, is_rehearsal, state, reason, pause, resumes, kind,
            is_message_private, push_options, campaign_path, delivery, fingerprints, named,
            duplicate, excluded, final, \(dialect.requests), fallback_requests, started, finished,
            expires, revoked, plan, deliveries_deleted, \(dialect.platforms), started_by
        FROM runs
        """
    }

    /// Reads a row of ``selection(_:)``; throws ``DamagedValue`` for a value that is never written.
    package static func record(_ row: any SQLRow) throws -> RunRecord {
        guard let id = RunID(try row.text(0)), let hub = HubIdentity(try row.text(2)) else {
            throw DamagedValue()
        }
        return RunRecord(
            id: id, campaign: try row.text(1), hub: hub,
            occurrence: Occurrence(checked: try row.text(3)), isRehearsal: try row.bool(4),
            state: try row.word(5), reason: try row.optionalText(6),
            pause: row.isNull(7) ? nil : try row.word(7), resumes: try row.optionalTime(8),
            kind: try row.word(9),
            platforms: try (row.optionalText(27) ?? "").split(separator: " ").map { name in
                guard let platform = Platform(rawValue: String(name)) else { throw DamagedValue() }
                return platform
            },
            isMessagePrivate: try row.bool(10),
            pushOptions: try row.optionalText(11).map(StoredJSON.decode) ?? PushOptions(),
            campaignPath: try row.text(12), delivery: try StoredJSON.decode(row.text(13)),
            fingerprints: try StoredJSON.decode(row.text(14)),
            counts: AudienceCounts(
                named: try count(row, 15), duplicate: try count(row, 16),
                excluded: try count(row, 17), final: try count(row, 18)),
            requests: try count(row, 19), fallbackRequests: try row.optionalInt(20) ?? 0,
            started: try row.time(21), finished: try row.optionalTime(22),
            expires: try row.time(23), revoked: try row.optionalTime(24),
            plan: try row.optionalText(25).map { text in
                guard let plan = PlanID(text) else { throw DamagedValue() }
                return plan
            }, deliveriesDeleted: try row.optionalTime(26),
            starter: try row.optionalText(28).map(StoredJSON.decode))
    }

    private static func count(_ row: any SQLRow, _ column: Int) throws -> Int {
        let count = try row.int(column)
        guard (0...most).contains(count) else { throw DamagedValue() }
        return count
    }

    /// Inserts a run with its platforms.
    ///
    /// - Parameters:
    ///   - extra: columns of `runs` that only this database has.
    ///   - platform: columns of `run_platforms` that only this database has.
    package static func insert(
        _ run: RunRecord, _ extra: [(column: String, value: any SQLBindable)],
        platform: [(column: String, value: any SQLBindable)] = [], _ db: any SQLConnection
    ) throws {
        let options =
            run.pushOptions == PushOptions() ? nil : try StoredJSON.encode(run.pushOptions)
        let values: [(column: String, value: any SQLBindable)] = [
            ("id", run.id.text), ("campaign", run.campaign), ("hub", run.hub.description),
            ("occurrence", run.occurrence.text), ("is_rehearsal", run.isRehearsal),
            ("state", run.state.rawValue), ("reason", run.reason), ("pause", run.pause?.rawValue),
            ("resumes", run.resumes), ("kind", run.kind.rawValue),
            ("is_message_private", run.isMessagePrivate), ("campaign_path", run.campaignPath),
            ("delivery", try StoredJSON.encode(run.delivery)),
            ("fingerprints", try StoredJSON.encode(run.fingerprints)), ("push_options", options),
            ("plan", run.plan?.text), ("named", run.counts.named),
            ("duplicate", run.counts.duplicate), ("excluded", run.counts.excluded),
            ("final", run.counts.final), ("requests", run.requests),
            ("started", run.started), ("finished", run.finished), ("expires", run.expires),
            ("started_by", try run.starter.map(StoredJSON.encode)),
        ]
        try insert(values + extra, into: "runs", db)
        let key = try StoredRun(of: run.id, db).key
        for (position, name) in run.platforms.enumerated() {
            try insert(
                [("run", key), ("position", position), ("platform", name.rawValue)] + platform,
                into: "run_platforms", db)
        }
    }

    private static func insert(
        _ values: [(column: String, value: any SQLBindable)], into table: String,
        _ db: any SQLConnection
    ) throws {
        let parameters = values.indices.map { "?\($0 + 1)" }
        try db.run(
            """
            INSERT INTO \(table) (\(values.map(\.column).joined(separator: ", ")))
            VALUES (\(parameters.joined(separator: ", ")))
            """, values.map(\.value))
    }
}
