import CampaignCore
import FoundationEssentials
import Synchronization

/// A store that only takes receipts, and fails or waits as it is told to: no real one can be made
/// to.
final class RecordingStore: NotificationStore {
    struct Failure: Error {}

    private struct State: Sendable {
        var batches: [[Receipt]] = []
        var begun = 0
        var failures: Int
        var isHeld: Bool
    }

    private let poison: Int?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - failures: how many transactions fail at first.
    ///   - poison: the recipient's number that makes a transaction fail.
    ///   - isHeld: whether transactions wait for ``release()``.
    init(failures: Int = 0, poison: Int? = nil, isHeld: Bool = false) {
        self.poison = poison
        state = Mutex(State(failures: failures, isHeld: isHeld))
    }

    var batches: [[Receipt]] { state.withLock(\.batches) }
    var written: [Receipt] { batches.flatMap { $0 } }

    /// From now on no transaction fails for want of a store.
    func mend() { state.withLock { $0.failures = 0 } }
    func release() { state.withLock { $0.isHeld = false } }

    /// Waits until so many transactions have begun.
    func hasBegun(_ count: Int) async {
        while state.withLock(\.begun) < count { await Task.yield() }
    }

    func record(_ receipts: [Receipt]) async throws {
        state.withLock { $0.begun += 1 }
        while state.withLock(\.isHeld) { await Task.yield() }
        try state.withLock { state in
            if state.failures > 0 {
                state.failures -= 1
                throw Failure()
            }
            if receipts.contains(where: { $0.place.number == poison }) { throw Failure() }
            state.batches.append(receipts)
        }
    }

    func notification(_ id: NotificationID) async throws -> StoredNotification? { nil }
    func notification(
        _ id: NotificationID, for recipient: Username
    ) async throws -> ReceivedNotification? { nil }
    func notificationWithoutContent(
        _ id: NotificationID, for recipient: Username
    ) async throws -> ReceivedNotification? { nil }
    func notifications(
        for recipient: Username, isUnread: Bool, after last: NotificationID?, limit: Int,
        at now: Date
    ) async throws -> [ReceivedNotification] { [] }
    func checkPayloadKey() async throws {}
    func overview(_ id: NotificationID) async throws -> NotificationOverview? { nil }

    func overviews(
        run: RunID?, after last: NotificationID?, limit: Int
    ) async throws -> [NotificationOverview] { [] }
    func revoke(_ id: NotificationID, at time: Date) async throws -> Bool { false }
    func purge(at now: Date, isDryRun: Bool) async throws -> PurgeCounts { PurgeCounts() }
}
