package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func begin(_ run: RunRecord, expecting people: Int) async throws {
        try await write { db in try RunRow.begin(run, expecting: people, db) }
    }

    package func run(_ id: RunID) async throws -> RunRecord? {
        try await runs("WHERE id = $1", [id.text]).first
    }

    package func run(
        hub: HubIdentity, campaign: String, occurrence: Occurrence
    ) async throws -> RunRecord? {
        try await runs(
            "WHERE NOT is_rehearsal AND hub = $1 AND campaign = $2 AND occurrence = $3",
            [hub.description, campaign, occurrence.text]
        ).first
    }

    package func runs(campaign: String?, limit: Int) async throws -> [RunRecord] {
        try await runs(
            "WHERE $1::text IS NULL OR campaign = $1 ORDER BY started DESC, key DESC LIMIT $2",
            [campaign, limit])
    }

    package func runs(_ search: RunSearch) async throws -> [RunRecord] {
        let (text, values) = search.sql(notRehearsal: "NOT is_rehearsal") { "$\($0)" }
        return try await runs(text, values)
    }

    package func unfinished(campaign: String?, at hub: HubIdentity) async throws -> [RunRecord] {
        let isMeant = campaign == nil ? "" : "AND campaign = $2"
        return try await runs(
            """
            WHERE hub = $1 \(isMeant) AND NOT is_rehearsal AND state <> 'finished'
            ORDER BY started DESC, key DESC
            """, [hub.description] + [campaign].compactMap(\.self))
    }

    package func setState(
        _ state: RunState, reason: String?, pause: RunPause?, of run: RunID, at time: Date
    ) async throws {
        let assignment = "state = $2, reason = $3, pause = $4, resumes = NULL, finished = $5"
        let values: [any PostgreSQLBindable] = [
            state.rawValue, state == .paused ? reason.map(StoredText.encode) : nil,
            state == .paused ? pause?.rawValue : nil,
            state == .finished ? StoredTime.milliseconds(time) : nil,
        ]
        try await write { [identity] db in
            switch state {
            case .running:
                try Self.change(run, assignment + ", fault = \(Self.faultThatStays)", values, db)
                try RunListener.tell(identity, db)
            case .finished:
                try RunMembers.removeAll(of: StoredRun(of: run, db).key, db)
                try Self.change(run, assignment, values, db)
            default: try Self.change(run, assignment, values, db)
            }
        }
    }

    /// The fault of a run that is continued, for which all of its processes have to pause.
    ///
    /// Continuing a paused run clears the fault, since somebody has seen to it. It stays if nobody
    /// could see it: its finder was gone before it had paused the run, or another process had
    /// paused the run first for a reason that passes.
    private static let faultThatStays = """
        CASE WHEN state = '\(RunState.running.rawValue)' OR pause = '\(RunPause.passing.rawValue)'
            THEN fault END
        """

    package func setWaiting(_ run: RunID, until resumption: Date, at time: Date) async throws {
        try await change(
            run, "state = $2, reason = NULL, pause = NULL, resumes = $3, finished = NULL",
            [RunState.waiting.rawValue, StoredTime.milliseconds(resumption)])
    }

    package func setDelivery(_ delivery: DeliveryPolicy, of run: RunID) async throws {
        try await change(run, "delivery = $2", [try StoredJSON.encode(delivery)])
    }

    package func requestStop(_ run: RunID, _ mode: StopMode) async throws {
        try await change(run, "stop_request = greatest(stop_request, $2)", [mode.rawValue])
    }

    package func clearStopRequest(_ run: RunID) async throws {
        try await change(
            run, "stop_request = CASE WHEN stop_request > $2 THEN stop_request ELSE 0 END",
            [StopMode.resumable.rawValue])
    }

    package func stopRequest(_ run: RunID) async throws -> StopMode? {
        try await read { db in
            let row = try db.row("SELECT stop_request FROM runs WHERE id = $1", [run.text])
            guard let row else { throw StoreError.noSuchRun(run) }
            return StopMode(rawValue: try row.int(0))
        }
    }

    package func noteFallback(of run: RunID, requests: Int) async throws {
        try await change(
            run, "fallback_requests = greatest(coalesce(fallback_requests, 0), $2)", [requests])
    }

    func runs(
        _ condition: String, _ values: [any PostgreSQLBindable]
    ) async throws -> [RunRecord] {
        try await read { db in
            try db.rows("\(RunRow.selection) \(condition)", values).map(RunRow.record)
        }
    }

    /// Changes a run's row by one statement, so that no host undoes another's change; `assignment`
    /// has `$2` and so on.
    private func change(
        _ run: RunID, _ assignment: String, _ values: [any PostgreSQLBindable]
    ) async throws {
        try await write { db in try Self.change(run, assignment, values, db) }
    }

    private static func change(
        _ run: RunID, _ assignment: String, _ values: [any PostgreSQLBindable],
        _ db: PostgreSQLConnection
    ) throws {
        let count = try db.execute(
            "UPDATE runs SET \(assignment) WHERE id = $1", [run.text] + values)
        guard count > 0 else { throw StoreError.noSuchRun(run) }
    }
}
