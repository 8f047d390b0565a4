import Storage
import Synchronization

/// What one process knows of its locks on campaigns.
final class HeldLocks: Sendable {
    /// Ends when nobody holds the lock any more.
    private struct Reference {
        weak var lock: HeldServerLock?
    }

    private struct State {
        var held: [ObjectIdentifier: Reference] = [:]
        /// Locks that the server may have given to others, by campaign.
        var lost: [String: Int] = [:]
        /// Releases in progress, by campaign.
        var releases: [String: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Checks that no lock was lost, without asking the server.
    ///
    /// A lost lock concerns every write of the process: the failure that broke its connection may
    /// have delayed others too.
    func check(_ place: StorePlace) throws(StoreError) {
        for lock in held { lock.glance() }
        if state.withLock({ !$0.lost.isEmpty }) { throw .connectionLost(place) }
    }

    /// Asks the server whether the locks are still held; blocks the thread.
    ///
    /// Call it after connecting: other connections may have broken too, and a new one must not
    /// write after a lock's end.
    func confirm() {
        for lock in held { lock.confirm() }
    }

    private var held: [HeldServerLock] {
        state.withLock { $0.held.values.compactMap(\.lock) }
    }

    func add(_ lock: HeldServerLock) {
        let reference = Reference(lock: lock)
        state.withLock { $0.held[ObjectIdentifier(lock)] = reference }
    }

    func remove(_ lock: ObjectIdentifier) {
        state.withLock { $0.held[lock] = nil }
    }

    func noteLoss(of campaign: String) {
        state.withLock { $0.lost[campaign, default: 0] += 1 }
    }

    /// Forgets a loss, after the holder has ended.
    func forgetLoss(of campaign: String) {
        state.withLock { state in
            let count = (state.lost[campaign] ?? 0) - 1
            state.lost[campaign] = count > 0 ? count : nil
        }
    }

    func noteRelease(of campaign: String, _ release: Task<Void, Never>) {
        state.withLock { $0.releases[campaign] = release }
    }

    /// Waits until this process's release of a lock is done.
    func waitForRelease(of campaign: String) async {
        let release = state.withLock { $0.releases.removeValue(forKey: campaign) }
        await release?.value
    }
}
