import Storage
import Synchronization

/// What one process knows of the locks on campaigns that it holds, or has just given back.
final class HeldLocks: Sendable {
    /// A lock that goes when nobody holds it any more.
    private struct Reference {
        weak var lock: HeldServerLock?
    }

    private struct State {
        var held: [ObjectIdentifier: Reference] = [:]
        /// Locks that the server may have given to another by now, by campaign.
        var lost: [String: Int] = [:]
        /// What gives locks back at this moment, by campaign.
        var releases: [String: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Makes sure that no lock is held that was lost.
    ///
    /// One that was concerns every write of the process: there is one server, and whatever cut the one connection off may have kept
    /// others waiting, with what they are about to write.
    ///
    /// It asks nobody: what a server has told of an end is known by then, which is at once but for a network that is cut.
    ///
    /// - Throws: ``StoreError/connectionLost(_:)`` until whoever held it has released it.
    func check(_ place: StorePlace) throws(StoreError) {
        for lock in held { lock.glance() }
        if state.withLock({ !$0.lost.isEmpty }) { throw .connectionLost(place) }
    }

    /// Asks the server whether the locks are still held; blocks the thread.
    ///
    /// For whoever has just connected: a connection that broke may not be the only one, and a write on the new one must not come
    /// behind the lock's end.
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

    /// Forgets a loss, since whoever held the lock has ended.
    func forgetLoss(of campaign: String) {
        state.withLock { state in
            let count = (state.lost[campaign] ?? 0) - 1
            state.lost[campaign] = count > 0 ? count : nil
        }
    }

    /// Notes what gives a lock back.
    func noteRelease(of campaign: String, _ release: Task<Void, Never>) {
        state.withLock { $0.releases[campaign] = release }
    }

    /// Waits until a lock is back that this process released.
    func waitForRelease(of campaign: String) async {
        let release = state.withLock { $0.releases.removeValue(forKey: campaign) }
        await release?.value
    }
}
