import CampaignCore
import FoundationEssentials
import TestSupport

/// A store that only accepts receipts and, unlike a real one, can be made to fail or wait.
final class RecordingStore: NotificationStore {
    struct Failure: Error {}

    private struct State: Sendable {
        var batches: [[Receipt]] = []
        var begun = 0
        var failures: Int
        /// The number of transactions that may complete.
        var allowed: Int
        var reads = 0
        var areReadsHeld: Bool
    }

    private let poison: Int?
    private let state: Watched<State>

    /// - Parameters:
    ///   - failures: how many transactions fail at first.
    ///   - poison: the recipient's number that makes a transaction fail.
    ///   - heldFrom: the number, from 0, of the first transaction that waits for ``release()``.
    ///   - areReadsHeld: whether lookups of notifications wait for ``release()``.
    init(failures: Int = 0, poison: Int? = nil, heldFrom: Int? = nil, areReadsHeld: Bool = false) {
        self.poison = poison
        state = Watched(
            State(failures: failures, allowed: heldFrom ?? .max, areReadsHeld: areReadsHeld))
    }

    var batches: [[Receipt]] { state.value.batches }
    var written: [Receipt] { batches.flatMap { $0 } }

    var reads: Int { state.value.reads }

    func release() {
        state.update { state in
            state.allowed = .max
            state.areReadsHeld = false
        }
    }

    /// Waits until a notification is looked up.
    func isRead() async throws {
        try await state.wait { $0.reads > 0 }
    }

    func hasBegun(_ count: Int) async throws {
        try await state.wait { $0.begun >= count }
    }

    func hasWritten(_ count: Int) async throws {
        try await state.wait { $0.batches.map(\.count).reduce(0, +) >= count }
    }

    func record(_ receipts: [Receipt]) async throws {
        let number = state.update { state in
            state.begun += 1
            return state.begun - 1
        }
        try await state.wait { number < $0.allowed }
        try state.update { state in
            if state.failures > 0 {
                state.failures -= 1
                throw Failure()
            }
            if receipts.contains(where: { $0.place.number == poison }) { throw Failure() }
            state.batches.append(receipts)
        }
    }

    func notification(_ id: NotificationID) async throws -> StoredNotification? {
        state.update { $0.reads += 1 }
        try await state.wait { !$0.areReadsHeld }
        return nil
    }
    func notification(
        _ id: NotificationID, for recipient: Username, hasContent: Bool
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
