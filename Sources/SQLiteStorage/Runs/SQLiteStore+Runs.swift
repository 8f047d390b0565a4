package import CampaignCore
package import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    package func begin(_ run: RunRecord, expecting people: Int) async throws {
        try await write { db in
            let stopRequest = try RunRow.removeStaging(run.id, db)
            if !run.isRehearsal,
                try Row.fetchOne(
                    db, sql: "SELECT 1 FROM runs WHERE \(Self.isOccurrence)",
                    arguments: Self.arguments(run.hub, run.campaign, run.occurrence)) != nil
            {
                throw StoreError.runExists(campaign: run.campaign, occurrence: run.occurrence)
            }
            try RunRow.insert(run, db)
            if stopRequest > 0 {
                try db.execute(
                    sql: "UPDATE runs SET stop_request = ? WHERE id = ?",
                    arguments: [stopRequest, run.id.text])
                try RowSeal.renew(run: StoredRun(of: run.id, db).key, db)
            }
        }
    }

    package func run(_ id: RunID) async throws -> RunRecord? {
        try await runs("WHERE id = ?", [id.text]).first
    }

    package func run(
        hub: HubIdentity, campaign: String, occurrence: Occurrence
    ) async throws -> RunRecord? {
        try await runs(
            "WHERE \(Self.isOccurrence)", Self.arguments(hub, campaign, occurrence)
        ).first
    }

    package func runs(campaign: String?, limit: Int) async throws -> [RunRecord] {
        try await runs(
            "WHERE ?1 IS NULL OR campaign = ?1 ORDER BY started DESC, key DESC LIMIT ?2",
            [campaign, limit])
    }

    package func runs(_ search: RunSearch) async throws -> [RunRecord] {
        let (text, values) = search.sql(notRehearsal: "is_rehearsal = 0") { "?\($0)" }
        return try await runs(text, StatementArguments(values))
    }

    package func unfinished(campaign: String?, at hub: HubIdentity) async throws -> [RunRecord] {
        let isMeant = campaign == nil ? "" : "AND campaign = ?"
        return try await runs(
            """
            WHERE hub = ? \(isMeant) AND \(StoreSchema.isUnfinished)
            ORDER BY started DESC, key DESC
            """,
            StatementArguments([hub.description] + [campaign].compactMap(\.self)))
    }

    package func setState(
        _ state: RunState, reason: String?, pause: RunPause?, of run: RunID, at time: Date
    ) async throws {
        try await change(
            run, "state = ?, reason = ?, pause = ?, resumes = NULL, finished = ?",
            [
                state.rawValue, state == .paused ? reason : nil,
                state == .paused ? pause?.rawValue : nil,
                state == .finished ? StoredTime.milliseconds(time) : nil,
            ])
    }

    package func setWaiting(_ run: RunID, until resumption: Date, at time: Date) async throws {
        try await change(
            run, "state = ?, reason = NULL, pause = NULL, resumes = ?, finished = NULL",
            [RunState.waiting.rawValue, StoredTime.milliseconds(resumption)])
    }

    package func setDelivery(_ delivery: DeliveryPolicy, of run: RunID) async throws {
        try await change(run, "delivery = ?", [StoredJSON.encode(delivery)])
    }

    package func requestStop(_ run: RunID, _ mode: StopMode) async throws {
        try await change(run, "stop_request = max(stop_request, ?)", [mode.rawValue])
    }

    package func clearStopRequest(_ run: RunID) async throws {
        try await change(
            run, "stop_request = iif(stop_request > ?, stop_request, 0)",
            [StopMode.resumable.rawValue])
    }

    package func stopRequest(_ run: RunID) async throws -> StopMode? {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT stop_request FROM runs WHERE id = ?")
            guard let request = try Int.fetchOne(statement, arguments: [run.text]) else {
                throw StoreError.noSuchRun(run)
            }
            return StopMode(rawValue: request)
        }
    }

    // The index of occurrences is asked only when the condition names what it leaves out.
    private static let isOccurrence =
        "is_rehearsal = 0 AND hub = ? AND campaign = ? AND occurrence = ?"

    private static func arguments(
        _ hub: HubIdentity, _ campaign: String, _ occurrence: Occurrence
    ) -> StatementArguments {
        [hub.description, campaign, occurrence.text]
    }

    private func runs(
        _ condition: String, _ arguments: StatementArguments
    ) async throws -> [RunRecord] {
        try await read { db in
            let statement = try db.cachedStatement(sql: "\(RunRow.selection) \(condition)")
            return try Row.fetchAll(statement, arguments: arguments)
                .map(RunRow.record)
        }
    }

    private func change(
        _ run: RunID, _ assignment: String, _ arguments: StatementArguments
    ) async throws {
        try await save { db in
            let stored = try StoredRun(of: run, db)
            try db.cachedStatement(sql: "UPDATE runs SET \(assignment) WHERE key = ?")
                .execute(arguments: arguments + [stored.key])
            try RowSeal.renew(run: stored.key, db)
        }
    }
}
