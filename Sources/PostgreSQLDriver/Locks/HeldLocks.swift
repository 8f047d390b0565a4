import CampaignCore
import Files
import PostgreSQLClient
import Storage
import Synchronization

/// The locks on campaigns that the server keeps for this process, each in a separate session.
///
/// After a session has failed, another host may hold its lock, so writing calls throw
/// ``StoreError/connectionLost(_:)`` until the lock is released. A write that had already begun may
/// still be committed.
final class HeldLocks: Sendable {
    private struct Lock {
        let session: PostgreSQLSession
        /// The number of the server process for the session.
        let process: Int
        let campaign: String
        var isLost = false
    }

    private struct State {
        /// The locks by number; numbers are never reused, so that releasing a lock twice is
        /// harmless.
        var locks: [Int: Lock] = [:]
        var count = 0
        /// Releases in progress, by campaign.
        var releases: [String: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    func add(_ session: PostgreSQLSession, of process: Int, campaign: String) -> HeldServerLock {
        let lock = Lock(session: session, process: process, campaign: campaign)
        let id = state.withLock { state in
            state.count += 1
            state.locks[state.count] = lock
            return state.count
        }
        return HeldServerLock(id, self)
    }

    /// Checks that no lock was lost, without asking the server.
    ///
    /// A lost lock affects every write of the process, because the failure that broke its
    /// connection may also have delayed other connections.
    func check(_ place: StoreComponent) throws(StoreError) {
        let isLost = state.withLock { state in
            for (id, lock) in state.locks where lock.session.isKnownToBeGone {
                state.locks[id]?.isLost = true
            }
            return state.locks.values.contains(where: \.isLost)
        }
        if isLost { throw .connectionLost(place) }
    }

    /// Asks the server whether the locks are still held; blocks the thread.
    ///
    /// This must be called after connecting: other connections may also have broken, and a new
    /// connection must not write after a lock has ended.
    func confirm() {
        for id in state.withLock({ Array($0.locks.keys) }) { confirm(id) }
    }

    /// Asks the server whether one lock is still held; returns false if it is lost or released.
    @discardableResult
    func confirm(_ id: Int) -> Bool {
        guard let lock = state.withLock({ $0.locks[id] }) else { return false }
        let found = try? lock.session.withConnection { db in
            try db.row("SELECT pg_backend_pid()") { try $0.int(0) }
        }
        return state.withLock { state in
            if found != lock.process { state.locks[id]?.isLost = true }
            return state.locks[id]?.isLost == false
        }
    }

    func release(_ id: Int) {
        state.withLock { state in
            guard let lock = state.locks.removeValue(forKey: id) else { return }
            // The server notices a closed connection a moment later, but the next process should
            // get the lock immediately.
            state.releases[lock.campaign] = Task { [session = lock.session] in
                await BlockingWork.run {
                    _ = try? session.withConnection { db in
                        try db.run("SELECT pg_advisory_unlock_all()")
                    }
                    session.close()
                }
            }
        }
    }

    /// Waits until this process has finished releasing a lock.
    func waitForRelease(of campaign: String) async {
        let release = state.withLock { $0.releases.removeValue(forKey: campaign) }
        await release?.value
    }
}

/// A lock on a campaign, which is checked regularly.
final class HeldServerLock: HeldCampaignLock {
    private let id: Int
    private let locks: HeldLocks
    private let watch: Task<Void, Never>

    init(_ id: Int, _ locks: HeldLocks) {
        self.id = id
        self.locks = locks
        watch = Task {
            repeat {
                do {
                    try await Task.sleep(for: .seconds(2))
                } catch {
                    return  // Released.
                }
            } while await BlockingWork.run { locks.confirm(id) }
        }
    }

    deinit {
        release()
    }

    func release() {
        watch.cancel()
        locks.release(id)
    }
}
