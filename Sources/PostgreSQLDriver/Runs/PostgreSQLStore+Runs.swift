package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    /// Inserts a run, or replaces a run with the same id that is still being staged.
    package func begin(_ run: RunRecord, expecting people: Int) async throws {
        try await write { db in
            let exists = StoreError.runExists(campaign: run.campaign, occurrence: run.occurrence)
            let isLarge = people >= StoreSchema.partitionPeople
            let found = try db.row(
                "SELECT key, state, stop_request FROM runs WHERE id = $1 FOR UPDATE", [run.id.text])
            var known: Int64?
            if let found {
                guard try found.text(1) == RunState.staging.rawValue else { throw exists }
                let key = try found.int64(0)
                // Existing partitions are reused, because dropping them would make everybody else
                // wait.
                if RunPartitions.has(key) || !isLarge { known = key }
                for table in [
                    "wave_claims", "run_waves", "run_platforms", "run_contents",
                    "revoked_notifications", "run_members", "claimed_pages",
                ] {
                    try db.execute("DELETE FROM \(table) WHERE run = $1", [key])
                }
                try db.execute("DELETE FROM runs WHERE key = $1", [key])
            }
            let key = try known ?? RunPartitions.newRun(isLarge: isLarge, db)
            do {
                try RunRow.insert(
                    run,
                    [
                        ("key", key), ("stop_request", try found?.int(2) ?? 0),
                        ("has_partitions", RunPartitions.has(key)),
                    ], db)
            } catch let error as PostgreSQLError where error.kind == .uniqueViolation {
                // Another host was faster.
                throw exists
            }
            if known == nil, isLarge { try RunPartitions.make(for: key, db) }
        }
    }

    package func setState(
        _ state: RunState, reason: String?, pause: RunPause?, of run: RunID, at time: Date
    ) async throws {
        try await write { [identity] db in
            if state == .finished { try RunMember.removeAll(of: StoredRun(of: run, db).key, db) }
            try run.setState(
                state, reason: reason, pause: pause, at: time,
                and: state == .running ? ", fault = \(Self.faultThatStays)" : "", db)
            if state == .running { try RunListener.tell(identity, db) }
        }
    }

    /// The error of a run that is continued; while it is set, all processes of the run pause.
    ///
    /// Continuing a paused run clears the error, because somebody has handled it. The error is kept
    /// if nobody could have seen it: the process that reported it was gone before it paused the
    /// run, or another process had paused the run first for a temporary reason.
    private static let faultThatStays = """
        CASE WHEN state = '\(RunState.running.rawValue)' OR pause = '\(RunPause.passing.rawValue)'
            THEN fault END
        """
}
