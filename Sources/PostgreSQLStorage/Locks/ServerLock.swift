package import CampaignCore
import Crypto
import Files
import FoundationEssentials
import PostgreSQLClient
import Storage
import Synchronization

/// Keeps other processes, on whatever host, away from a campaign of a store on a server.
///
/// It is given only where nobody takes part in a run of the campaign whose lease lasts, and nobody joins one while it is held.
///
/// It is an advisory lock of a session that does nothing else: the server lets go of it as soon as it knows that the connection is
/// gone, which is at once when the process ends, and within half a minute when the host is cut off. A connection that is
/// shared between sessions, as by a pooler that goes by transactions, cannot hold it.
struct ServerLock: CampaignLock {
    /// How often the connection is tried.
    static let interval = Duration.seconds(2)

    let store: PostgreSQLStore

    func acquire(campaign: String) async throws -> (any HeldCampaignLock)? {
        try await take(campaign: campaign)
    }

    /// - Returns: the lock; nil when another process has it or takes part in a run of the campaign.
    /// - Throws: ``StoreError``.
    func take(campaign: String) async throws -> HeldServerLock? {
        await store.locks.waitForRelease(of: campaign)
        // Before the lock is there, which would keep others from joining.
        let isWorkedOn = try await store.read { db in
            try RunMembers.exist(in: campaign, where: RunMembers.isAlive, db)
        }
        guard !isWorkedOn, let lock = try await takeSession(campaign: campaign) else { return nil }
        do {
            if try await isLeft(campaign: campaign) { return lock }
        } catch {
            lock.release()
            throw error
        }
        lock.release()
        return nil
    }

    /// Whether nobody takes part in a run of a campaign, once those are taken over whose lease has ended.
    ///
    /// Nobody joins while the lock is held.
    private func isLeft(campaign: String) async throws -> Bool {
        guard try await store.read({ db in try RunMembers.exist(in: campaign, db) }) else {
            return true
        }
        return try await store.write { db in
            try RunMembers.takeOverExpired(in: campaign, db)
        }
    }

    /// Takes the lock, whoever may take part in a run.
    private func takeSession(campaign: String) async throws -> HeldServerLock? {
        let (pool, key) = (store.pool, Self.key(of: campaign, in: store))
        do {
            let session = try await BlockingWork.run { () throws -> PostgreSQLSession? in
                let session = try pool.dedicatedConnection()
                let isTaken = try session.withConnection { db in
                    try db.row("SELECT pg_try_advisory_lock($1)", [key])?.bool(0)
                }
                if isTaken == true { return session }
                session.close()
                return nil
            }
            return session.map {
                HeldServerLock($0, key: key, campaign: campaign, locks: store.locks)
            }
        } catch {
            throw StoreError.translating(error, at: store.place)
        }
    }

    /// The number by which the server knows the lock: the same for all hosts, and another one in another store of the database.
    static func key(of campaign: String, in store: PostgreSQLStore) -> Int64 {
        let digest = SHA256.hash(data: Data("\(store.identity) campaign \(campaign)".utf8))
        return Int64(bitPattern: digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

/// A lock on a campaign that the server keeps for this process.
///
/// Its connection is looked at before each write, and tried every two seconds and whenever a new one is made. From the time that it
/// fails on, another host may have the lock: the store's writing calls throw ``StoreError/connectionLost(_:)`` until this is released.
/// What they had begun before may still be written.
final class HeldServerLock: HeldCampaignLock {
    private struct State {
        var isReleased = false
        var isLost = false
    }

    private let session: PostgreSQLSession
    private let key: Int64
    private let campaign: String
    private let locks: HeldLocks
    private let state = Mutex(State())
    private let watch = Mutex<Task<Void, Never>?>(nil)

    init(_ session: PostgreSQLSession, key: Int64, campaign: String, locks: HeldLocks) {
        self.session = session
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

    /// Tries the connection, and notes it when the lock is lost.
    ///
    /// - Returns: whether the lock is held.
    @discardableResult
    func look() async -> Bool {
        await BlockingWork.run { self.confirm() }
    }

    /// Tries the connection, and notes it when the lock is lost; blocks the thread.
    ///
    /// - Returns: whether the lock is held.
    @discardableResult
    func confirm() -> Bool {
        let isThere: Bool
        do {
            isThere = try session.withConnection { db in try db.row("SELECT 1") != nil }
        } catch {
            isThere = false
        }
        return note(isThere: isThere)
    }

    /// Notes it when the connection is known to have ended, without trying it.
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
        // The server learns of a closed connection a moment later; who wants the lock next shall have it at once.
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

    /// On a replica only those are seen who take part in a run: locks are the primary's own.
    package func isWorkedOn(campaign: String) async throws -> Bool {
        let key = ServerLock.key(of: campaign, in: self)
        return try await read { db in
            if try RunMembers.exist(in: campaign, where: RunMembers.isAlive, db) { return true }
            // As `pg_locks` shows a lock by one number: its upper and its lower half (documentation, 54.12).
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
