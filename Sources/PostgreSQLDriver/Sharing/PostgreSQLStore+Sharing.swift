package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore: RunSharing {
    package var sharing: (any RunSharing)? { self }

    package func time() async throws -> Date {
        let now = try await read { db in
            try db.row("SELECT \(RunMember.milliseconds("clock_timestamp()"))") { try $0.time(0) }
        }
        guard let now else { throw DamagedValue() }
        return now
    }

    package func join(
        _ run: RunID, as process: WorkerProcess, holding lock: (any HeldCampaignLock)?
    ) async throws -> (any RunPart)? {
        let end = ContinuousClock.now + heldLease
        let isLocked = lock != nil
        return try await write { db -> (any RunPart)? in
            if !isLocked {
                let campaign = try db.row("SELECT campaign FROM runs WHERE id = ?1", [run.text]) {
                    try $0.text(0)
                }
                guard let campaign else { throw StoreError.noSuchRun(run) }
                // Joining processes share the lock; a process that locks the campaign holds it
                // exclusively.
                let isFree = try db.hasRow(
                    "SELECT 1 WHERE pg_try_advisory_xact_lock_shared(?1)", [lockKey(of: campaign)])
                guard isFree else { return nil }
            }
            // The state is read while holding the lock, so nobody else can change it.
            let row = try db.row(
                """
                INSERT INTO run_members (run, host, process, version, joined, until, seen)
                SELECT key, $2, $3, $4, now, now + make_interval(secs => $5), now
                FROM runs, (SELECT clock_timestamp() AS now) clock
                WHERE id = $1 AND state = '\(RunState.running.rawValue)'
                RETURNING run, member, \(ServerPart.serverStart)
                """,
                [
                    run.text, StoredText.encode(process.host), process.number,
                    StoredText.encode(process.version), lease / .seconds(1),
                ])
            guard let row else { return nil }
            return ServerPart(
                store: self, runID: run, key: try row.int64(0), member: try row.int64(1),
                server: try row.text(2), lease: RunLease(until: end))
        }
    }

    package func workers(on run: RunID) async throws -> [RunWorker] {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            return try RunMember.all(of: stored.key, db).filter(\.isAlive).map(\.worker)
        }
    }

    package func openRuns(at hub: HubIdentity) async throws -> [RunRecord] {
        // The condition on unfinished runs makes the server use their index; the next condition
        // selects among these runs.
        try await runs(
            """
            WHERE hub = ?1 AND NOT is_rehearsal AND state <> '\(RunState.finished.rawValue)'
                AND state = '\(RunState.running.rawValue)'
            ORDER BY started, key
            """, [hub.description])
    }

    package func waitForRuns(atMost time: Duration) async throws {
        try await listener.wait(atMost: time, of: self)
    }

    package func hurry() {
        pool.hurry()
        // This allows one more try for a call that was aborted at the end of its grace period.
        rideOut.hurry(within: pool.grace + pool.lastGrace)
    }
}
