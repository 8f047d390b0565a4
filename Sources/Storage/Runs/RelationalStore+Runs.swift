package import CampaignCore
package import FoundationEssentials

extension RelationalStore {
    package func run(_ id: RunID) async throws -> RunRecord? {
        try await runs("WHERE id = ?1", [id.text]).first
    }

    package func run(
        hub: HubIdentity, campaign: String, occurrence: Occurrence
    ) async throws -> RunRecord? {
        // The index of occurrences is used only if the query repeats the condition of the index.
        try await runs(
            "WHERE NOT is_rehearsal AND hub = ?1 AND campaign = ?2 AND occurrence = ?3",
            [hub.description, campaign, occurrence.text]
        ).first
    }

    package func runs(campaign: String?, limit: Int) async throws -> [RunRecord] {
        try await runs(
            "WHERE ?1 IS NULL OR campaign = ?1 ORDER BY started DESC, key DESC LIMIT ?2",
            [campaign, limit])
    }

    package func runs(_ search: RunSearch) async throws -> [RunRecord] {
        let (text, values) = search.sql
        return try await runs(text, values)
    }

    package func runs(
        began period: RunPeriod, campaign: String?, after last: RunID?, limit: Int
    ) async throws -> [RunRecord] {
        try await runs(
            """
            WHERE (?1 IS NULL OR campaign = ?1) AND (?2 IS NULL OR started >= ?2)
                AND (?3 IS NULL OR started < ?3)
                AND (?4 IS NULL
                    OR (started, key) < (SELECT l.started, l.key FROM runs l WHERE l.id = ?4))
            ORDER BY started DESC, key DESC LIMIT ?5
            """,
            [campaign, period.since, period.until, last?.text, limit], isLong: true)
    }

    package func unfinished(campaign: String?, at hub: HubIdentity) async throws -> [RunRecord] {
        let isMeant = campaign == nil ? "" : "AND campaign = ?2"
        return try await runs(
            """
            WHERE hub = ?1 \(isMeant) AND NOT is_rehearsal
                AND state <> '\(RunState.finished.rawValue)'
            ORDER BY started DESC, key DESC
            """, [hub.description] + [campaign].compactMap(\.self))
    }

    package func runs(
        _ condition: String, _ values: [any SQLBindable], isLong: Bool = false
    ) async throws -> [RunRecord] {
        try await query(isLong: isLong) { db in
            try db.rows("\(RunRow.selection(db.dialect)) \(condition)", values, RunRow.record)
        }
    }

    package func setState(
        _ state: RunState, reason: String?, pause: RunPause?, of run: RunID, at time: Date
    ) async throws {
        try await update(isOfRun: true) { db in
            try run.setState(state, reason: reason, pause: pause, at: time, db)
        }
    }

    package func setWaiting(_ run: RunID, until resumption: Date, at time: Date) async throws {
        try await update(isOfRun: true) { db in
            try run.change(
                "state = ?2, reason = NULL, pause = NULL, resumes = ?3, finished = NULL",
                [RunState.waiting.rawValue, resumption], db)
        }
    }

    package func setDelivery(_ delivery: DeliveryPolicy, of run: RunID) async throws {
        try await update(isOfRun: true) { db in
            try run.change("delivery = ?2", [try StoredJSON.encode(delivery)], db)
        }
    }

    package func requestStop(_ run: RunID, _ mode: StopMode) async throws {
        try await update(isOfRun: true) { db in
            try run.change(
                "stop_request = \(db.dialect.greatest)(stop_request, ?2)", [mode.rawValue], db)
        }
    }

    package func clearStopRequest(_ run: RunID) async throws {
        try await update(isOfRun: true) { db in
            try run.change(
                "stop_request = CASE WHEN stop_request > ?2 THEN stop_request ELSE 0 END",
                [StopMode.resumable.rawValue], db)
        }
    }

    package func stopRequest(_ run: RunID) async throws -> StopMode? {
        let request = try await query { db in
            try db.row("SELECT stop_request FROM runs WHERE id = ?1", [run.text]) {
                try $0.int(0)
            }
        }
        guard let request else { throw StoreError.noSuchRun(run) }
        return StopMode(rawValue: request)
    }

    package func noteFallback(of run: RunID, requests: Int) async throws {
        try await update(isOfRun: true) { db in
            try run.change(
                """
                fallback_requests = \(db.dialect.greatest)(coalesce(fallback_requests, 0), ?2)
                """, [requests], db)
        }
    }

    /// Keeps the first time, because nobody has been able to fetch the payloads since then.
    package func revoke(_ run: RunID, at time: Date) async throws {
        try await update(isOfRun: true) { db in
            try run.change("revoked = coalesce(revoked, ?2)", [time], db)
        }
    }
}

extension RunID {
    /// Changes a run's row in one statement, so that no concurrent change is lost.
    ///
    /// - Parameter values: the values of `?2` and so on.
    package func change(
        _ assignment: String, _ values: [any SQLBindable], _ db: any SQLConnection
    ) throws {
        let count = try db.run("UPDATE runs SET \(assignment) WHERE id = ?1", [text] + values)
        guard count > 0 else { throw StoreError.noSuchRun(self) }
    }

    /// - Parameter others: further assignments, without values.
    package func setState(
        _ state: RunState, reason: String?, pause: RunPause?, at time: Date,
        and others: String = "", _ db: any SQLConnection
    ) throws {
        try change(
            "state = ?2, reason = ?3, pause = ?4, resumes = NULL, finished = ?5\(others)",
            [
                state.rawValue, state == .paused ? reason : nil,
                state == .paused ? pause?.rawValue : nil,
                state == .finished ? time : nil,
            ], db)
    }
}
