import HTTPTypes
import HummingbirdCore
import TestSupport
import Testing

@testable import AppBackend

/// Only one readiness check runs at a time, no matter how many clients ask.
@Suite(.bounded) struct ReadinessTests {
    private let store = RecordingStore(areReadsHeld: true)
    private let time = AdjustableTime()
    private let readiness: Readiness

    init() throws {
        let folder = try TemporaryFolder()
        readiness = Readiness(
            store: store,
            receipts: ReceiptWriter(
                store: store, limits: BackendLimits(), clock: ContinuousClock(), now: time.now,
                logger: BackendUnderTest.quiet),
            audit: try AuditLog(path: folder.file("a.jsonl"), logger: BackendUnderTest.quiet),
            fileProblem: { nil }, now: time.now, logger: BackendUnderTest.quiet)
    }

    @Test("Requests during a readiness check share its result")
    func requestsDuringAReadinessCheckShareItsResult() async throws {
        try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            group.addTask { await readiness.response().status }
            try await store.isRead()
            // The check takes longer than its result remains valid.
            time.move(by: 5)
            for _ in 0..<50 { group.addTask { await readiness.response().status } }
            store.release()
            for try await status in group { #expect(status == .ok) }
        }
        #expect(store.reads == 1)
        // A result is valid from the moment it arrives.
        #expect(await readiness.response().status == .ok)
        #expect(store.reads == 1)
        time.move(by: 1)
        #expect(await readiness.response().status == .ok)
        #expect(store.reads == 2)
    }

    @Test("A client that disconnects does not cancel the check for others")
    func clientThatDisconnectsDoesNotCancelTheCheckForOthers() async throws {
        let first = Task { await readiness.response().status }
        try await store.isRead()
        first.cancel()
        store.release()
        #expect(await first.value == .ok)
        #expect(await readiness.response().status == .ok)
        #expect(store.reads == 1)
    }
}
