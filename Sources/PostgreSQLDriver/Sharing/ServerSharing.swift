package import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

/// Lets processes on any number of hosts work on the runs of a store on a server.
struct ServerSharing: RunSharing {
    let store: PostgreSQLStore

    func time() async throws -> Date {
        try await store.read { db in
            let row = try db.row("SELECT \(ServerTime.seconds("clock_timestamp()"))")
            guard let row else { throw DamagedValue() }
            return try ServerTime.date(row, 0)
        }
    }

    func join(
        _ run: RunID, as process: WorkerProcess, holding lock: (any HeldCampaignLock)?
    ) async throws -> (any RunPart)? {
        let end = ContinuousClock.now + store.heldLease
        let isLocked = lock != nil
        let joined = try await store.write {
            [store] db -> (key: Int64, member: Int64, server: String)? in
            if !isLocked {
                let row = try db.row("SELECT campaign FROM runs WHERE id = $1", [run.text])
                guard let row else { throw StoreError.noSuchRun(run) }
                // Joining processes share the lock; one that decides about the campaign has it
                // alone.
                let lock = try db.row(
                    "SELECT pg_try_advisory_xact_lock_shared($1)",
                    [ServerLock.key(of: try row.text(0), in: store)])
                guard try lock?.bool(0) == true else { return nil }
            }
            // Read under the lock, which nobody else changes.
            let row = try db.row(
                """
                INSERT INTO run_members (run, host, process, version, joined, until, seen)
                SELECT key, $2, $3, $4, now, now + make_interval(secs => $5), now
                FROM runs, (SELECT clock_timestamp() AS now) clock
                WHERE id = $1 AND state = '\(RunState.running.rawValue)'
                RETURNING run, member, \(ServerTime.serverStart)
                """,
                [
                    run.text, StoredText.encode(process.host), process.number,
                    StoredText.encode(process.version), store.lease / .seconds(1),
                ])
            guard let row else { return nil }
            return (try row.int64(0), try row.int64(1), try row.text(2))
        }
        guard let joined else { return nil }
        var bound = store
        let binding = PartBinding(
            run: run, key: joined.key, member: joined.member, server: joined.server,
            lease: RunLease(until: end))
        bound.part = binding
        return ServerPart(store: bound, binding: binding)
    }

    func workers(on run: RunID) async throws -> [RunWorker] {
        try await store.read { db in
            let stored = try StoredRun(of: run, db)
            return try RunMember.all(of: stored.key, db).filter(\.isAlive).map(\.worker)
        }
    }

    func openRuns(at hub: HubIdentity) async throws -> [RunRecord] {
        // The condition on unfinished runs makes the server use their index; the next one selects
        // among them.
        try await store.runs(
            """
            WHERE hub = $1 AND NOT is_rehearsal AND state <> '\(RunState.finished.rawValue)'
                AND state = '\(RunState.running.rawValue)'
            ORDER BY started, key
            """, [hub.description])
    }

    func waitForRuns(atMost time: Duration) async throws {
        try await store.listener.wait(atMost: time, of: store)
    }

    func hurry() {
        store.pool.hurry()
        // Once more for a call that is given up when its grace ends.
        store.rideOut.outage.hurry(within: store.pool.grace + store.pool.lastGrace)
    }
}

extension PostgreSQLStore {
    package var sharing: (any RunSharing)? { ServerSharing(store: self) }
}
