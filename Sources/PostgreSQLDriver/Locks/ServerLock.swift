package import CampaignCore
import Crypto
import Files
import FoundationEssentials
import PostgreSQLClient
import Storage
import Synchronization

/// Keeps other processes, on any host, away from a campaign of a store on a server.
///
/// It needs a campaign whose runs nobody has a valid part in, and nobody joins one while it is
/// held. It is an advisory lock of a separate session: the server releases it when the connection
/// ends, at once with the process, and within half a minute when the host is cut off.
struct ServerLock: CampaignLock {
    /// How often the connection is tested.
    static let interval = Duration.seconds(2)

    let store: PostgreSQLStore

    func acquire(campaign: String) async throws -> (any HeldCampaignLock)? {
        try await take(campaign: campaign)
    }

    /// nil when another process has it or takes part in a run of the campaign.
    func take(campaign: String) async throws -> HeldServerLock? {
        await store.locks.waitForRelease(of: campaign)
        // Before the lock, which would keep others from joining, and whose connection would be opened
        // again and again by all who wait.
        guard try await !store.isWorkedOn(campaign: campaign),
            let lock = try await takeSession(campaign: campaign)
        else { return nil }
        do {
            if try await isLeft(campaign: campaign) { return lock }
        } catch {
            lock.release()
            throw error
        }
        lock.release()
        return nil
    }

    /// Whether nobody takes part in the campaign's runs, after taking over expired parts; nobody
    /// joins during the lock.
    private func isLeft(campaign: String) async throws -> Bool {
        guard try await store.read({ db in try RunMembers.exist(in: campaign, db) }) else {
            return true
        }
        return try await store.write { db in
            try RunMembers.takeOverExpired(in: campaign, db)
        }
    }

    /// Takes the lock, even if others take part in runs.
    private func takeSession(campaign: String) async throws -> HeldServerLock? {
        let (pool, key, grace) = (store.pool, Self.key(of: campaign, in: store), store.pool.grace)
        let deadline = AnswerDeadline()
        do {
            let taken = try await withTaskCancellationHandler {
                try await BlockingWork.run { () throws -> (PostgreSQLSession, process: Int)? in
                    let session = try pool.dedicatedConnection(by: deadline)
                    let process = try session.withConnection { db -> Int? in
                        let row = try db.row(
                            "SELECT pg_try_advisory_lock($1), pg_backend_pid()", [key])
                        return try row?.bool(0) == true ? row?.int(1) : nil
                    }
                    if let process { return (session, process) }
                    session.close()
                    return nil
                }
            } onCancel: {
                deadline.hurry(within: grace)
            }
            deadline.relax()
            return taken.map { session, process in
                HeldServerLock(
                    session, of: process, key: key, campaign: campaign, locks: store.locks)
            }
        } catch {
            throw StoreError.translating(error, at: store.place)
        }
    }

    /// The lock's number at the server, which differs between stores of a database.
    static func key(of campaign: String, in store: PostgreSQLStore) -> Int64 {
        let digest = SHA256.hash(data: Data("\(store.identity) campaign \(campaign)".utf8))
        return Int64(bitPattern: digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

/// A lock on a campaign that the server keeps for this process.
///
/// Its connection is tested every two seconds and for each new one. After a failure another host
/// may have the lock, so writing calls throw ``StoreError/connectionLost(_:)`` until it is
/// released. What they had begun may still be written.
final class HeldServerLock: HeldCampaignLock {
    private struct State {
        var isReleased = false
        var isLost = false
    }

    private let session: PostgreSQLSession
    /// The server's process that holds the lock.
    private let process: Int
    private let key: Int64
    private let campaign: String
    private let locks: HeldLocks
    private let state = Mutex(State())
    private let watch = Mutex<Task<Void, Never>?>(nil)

    init(
        _ session: PostgreSQLSession, of process: Int, key: Int64, campaign: String,
        locks: HeldLocks
    ) {
        self.session = session
        self.process = process
        self.key = key
        self.campaign = campaign
        self.locks = locks
        let task = Task { [weak self] in
            while true {
                do {
                    try await Task.sleep(for: ServerLock.interval)
                } catch {
                    return  // Released.
                }
                guard await self?.look() == true else { return }
            }
        }
        watch.withLock { $0 = task }
        locks.add(self)
    }

    deinit {
        release()
    }

    /// Tests the connection, and notes a loss of the lock.
    @discardableResult
    func look() async -> Bool {
        await BlockingWork.run { self.confirm() }
    }

    /// The same, blocking the thread.
    @discardableResult
    func confirm() -> Bool {
        let isThere: Bool
        do {
            isThere = try session.withConnection { db in
                try db.row("SELECT pg_backend_pid()")?.int(0) == process
            }
        } catch {
            isThere = false
        }
        return note(isThere: isThere)
    }

    /// Notes a known end of the connection, without testing it.
    func glance() {
        if session.isKnownToBeGone { note(isThere: false) }
    }

    @discardableResult
    private func note(isThere: Bool) -> Bool {
        state.withLock { state in
            if state.isReleased { return false }
            if !isThere, !state.isLost {
                state.isLost = true
                locks.noteLoss(of: campaign)
            }
            return !state.isLost
        }
    }

    func release() {
        let before = state.withLock { state in
            defer { state.isReleased = true }
            return state
        }
        guard !before.isReleased else { return }
        locks.remove(ObjectIdentifier(self))
        watch.withLock { $0?.cancel() }
        if before.isLost { locks.forgetLoss(of: campaign) }
        let (session, key) = (session, key)
        // The server learns of a closed connection a moment later; the next one should get the lock
        // at once.
        let task = Task {
            await BlockingWork.run {
                _ = try? session.withConnection { db in
                    try db.execute("SELECT pg_advisory_unlock($1)", [key])
                }
                session.close()
            }
        }
        locks.noteRelease(of: campaign, task)
    }
}

extension PostgreSQLStore {
    package var campaignLock: any CampaignLock { ServerLock(store: self) }

    /// On a replica, only parts in runs are seen, since locks are the primary's own.
    package func isWorkedOn(campaign: String) async throws -> Bool {
        let key = ServerLock.key(of: campaign, in: self)
        return try await read { db in
            if try RunMembers.exist(in: campaign, where: RunMembers.isAlive, db) { return true }
            // `pg_locks` shows a lock's number as its upper and lower half (documentation, 54.12).
            return try db.row(
                """
                SELECT 1 FROM pg_locks
                WHERE locktype = 'advisory' AND granted AND objsubid = 1
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND (classid::bigint << 32) | objid::bigint = $1
                """, [key]) != nil
        }
    }
}
