import CampaignCore
import Foundation
import HTTPTypes
import HummingbirdCore
import InMemoryLogging
import Logging
import Synchronization
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded)
struct ReceiptWriterTests {
    private static func place(_ number: Int) -> ReceiptKey {
        ReceiptKey(run: 1, number: number)
    }

    private static func run<Value: Sendable>(
        _ store: RecordingStore, capacity: Int = 1_000, gathering: Duration = .zero,
        timeout: Duration = .seconds(3), logger: Logger = BackendUnderTest.quiet,
        time: AdjustableTime = AdjustableTime(),
        _ test: @escaping @Sendable (ReceiptWriter) async throws -> Value
    ) async throws -> Value {
        var limits = BackendLimits()
        limits.receipts = capacity
        limits.gathering = gathering
        limits.receiptTimeout = timeout
        let writer = ReceiptWriter(
            store: store, limits: limits, clock: HurriedClock(time: time), now: time.now,
            logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await writer.run() }
            let value = try await test(writer)
            group.cancelAll()
            try await group.waitForAll()
            return value
        }
    }

    @Test("Receipts that arrive during a transaction are written in the next one")
    func receiptsThatArriveDuringATransactionAreWrittenInTheNextOne() async throws {
        let store = RecordingStore(heldFrom: 0)
        try await Self.run(store) { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await writer.read(Self.place(0)) }
                try await store.hasBegun(1)
                for number in 1...50 {
                    // Unlike a read, the fetch has arrived when this returns.
                    try await writer.fetched(Self.place(number))
                }
                store.release()
                try await group.waitForAll()
            }
        }
        #expect(store.batches.map(\.count) == [1, 50])
    }

    @Test("A fetch that is still queued when the server stops is recorded")
    func fetchThatIsStillQueuedWhenTheServerStopsIsRecorded() async throws {
        let store = RecordingStore()
        try await Self.run(store, gathering: .seconds(3_600)) { writer in
            try await writer.fetched(Self.place(1))
            try await writer.reserve(Self.place(2))
            writer.settle(Self.place(2), isFetched: false)
        }
        #expect(store.written.map(\.place) == [Self.place(1)])
        #expect(store.written.map(\.kind) == [.fetched])
    }

    @Test("When the store works again, it receives every receipt")
    func whenTheStoreWorksAgainItReceivesEveryReceipt() async throws {
        let log = InMemoryLogHandler()
        let store = RecordingStore(failures: 5)
        let logger = Logger(label: "test") { _ in log }
        try await Self.run(store, logger: logger) { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...20 {
                    group.addTask { try await writer.read(Self.place(number)) }
                }
                try await group.waitForAll()
            }
        }
        #expect(Set(store.written.map(\.place.number)) == Set(1...20))
        #expect(store.written.count == 20)
        #expect(log.entries.map(\.level) == [.error, .notice])
    }

    @Test("While the store is down, marking as read fails, but the receipt is kept")
    func whileTheStoreIsDownMarkingAsReadFailsButTheReceiptIsKept() async throws {
        let store = RecordingStore(failures: 10)
        let time = AdjustableTime()
        try await Self.run(store, time: time) { writer in
            _ = await #expect(throws: BackendFailure.unavailable(after: .seconds(1))) {
                try await writer.read(Self.place(1))
            }
        }
        #expect(store.written.map(\.place) == [Self.place(1)])
    }

    @Test("One bad receipt does not block the others")
    func oneBadReceiptDoesNotBlockTheOthers() async throws {
        let store = RecordingStore(poison: 7, heldFrom: 0)
        let log = InMemoryLogHandler()
        try await Self.run(store, logger: Logger(label: "test") { _ in log }) { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await writer.read(Self.place(0)) }
                try await store.hasBegun(1)
                // All of them are waiting before the first one fails, even on a slow machine.
                for number in 1...20 {
                    try await writer.fetched(Self.place(number))
                }
                store.release()
                try await store.hasWritten(20)
                try await group.waitForAll()
            }
        }
        #expect(Set(store.written.map(\.place.number)) == Set(0...20).subtracting([7]))
        // At the end, the receipt is dropped, and this is logged.
        #expect(log.entries.contains { $0.level == .error && "\($0.message)".contains("lost") })
    }

    @Test("When the queue is full, marking as read is refused, but a fetch waits for space")
    func whenTheQueueIsFullMarkingAsReadIsRefusedButAFetchWaitsFor() async throws {
        let store = RecordingStore(heldFrom: 0)
        try await Self.run(store, capacity: 1, timeout: .seconds(3_600)) { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await writer.read(Self.place(1)) }
                try await store.hasBegun(1)
                await #expect(throws: BackendFailure.busy(after: .seconds(1))) {
                    try await writer.read(Self.place(2))
                }
                group.addTask { try await writer.fetched(Self.place(3)) }
                store.release()
                try await group.waitForAll()
            }
        }
        #expect(store.written.map(\.place) == [Self.place(1), Self.place(3)])
    }

    @Test("A fetch that cannot be queued in time is refused")
    func fetchThatCannotBeQueuedInTimeIsRefused() async throws {
        let store = RecordingStore(heldFrom: 0)
        try await Self.run(store, capacity: 1) { writer in
            try await writer.fetched(Self.place(1))
            try await store.hasBegun(1)
            await #expect(throws: BackendFailure.busy(after: .seconds(1))) {
                try await writer.reserve(Self.place(2))
            }
            store.release()
        }
        #expect(store.written.map(\.place) == [Self.place(1)])
    }

    @Test("A cancelled fetch stops waiting") func cancelledFetchStopsWaiting() async throws {
        let store = RecordingStore(heldFrom: 0)
        try await Self.run(store, capacity: 1, timeout: .seconds(3_600)) { writer in
            try await writer.fetched(Self.place(1))
            try await store.hasBegun(1)
            let waiting = Task { try await writer.reserve(Self.place(2)) }
            waiting.cancel()
            await #expect(throws: BackendFailure.self) { try await waiting.value }
            store.release()
        }
        #expect(store.written.map(\.place) == [Self.place(1)])
    }

    @Test("Repeated receipts for a notification take one place in the queue per kind")
    func repeatedReceiptsForANotificationTakeOnePlaceInTheQueuePer() async throws {
        let store = RecordingStore(heldFrom: 0)
        try await Self.run(store, capacity: 2) { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...3 {
                    try await writer.fetched(Self.place(1))
                    group.addTask { try await writer.read(Self.place(1)) }
                }
                try await store.hasBegun(1)
                for _ in 1...3 {
                    try await writer.fetched(Self.place(1))
                    group.addTask { try await writer.read(Self.place(1)) }
                }
                // A place that was given back can be used by others.
                try await writer.reserve(Self.place(1))
                writer.settle(Self.place(1), isFetched: false)
                await #expect(throws: BackendFailure.busy(after: .seconds(1))) {
                    try await writer.reserve(Self.place(2))
                }
                store.release()
                try await group.waitForAll()
            }
        }
        #expect(Set(store.written.map(\.kind)) == [.fetched, .read])
        #expect(store.written.filter { $0.kind == .fetched }.count == 1)
    }

    @Test("A server that cannot write receipts is not ready")
    func serverThatCannotWriteReceiptsIsNotReady() async throws {
        // The store waits once the reader has its response, so that nothing changes while the test
        // checks.
        let store = RecordingStore(failures: 10, heldFrom: 10)
        let time = AdjustableTime()
        let folder = try TemporaryFolder()
        let audit = try AuditLog(path: folder.file("a.jsonl"), logger: BackendUnderTest.quiet)
        try await Self.run(store, time: time) { writer in
            let readiness = Readiness(
                store: store, receipts: writer, audit: audit, fileProblem: { nil }, now: time.now,
                logger: BackendUnderTest.quiet)
            #expect(await readiness.response().status == .ok)
            _ = await #expect(throws: BackendFailure.unavailable(after: .seconds(1))) {
                try await writer.read(Self.place(1))
            }
            #expect(await readiness.response().status == .serviceUnavailable)
            store.release()
            // A receipt becomes durable only after the previous one.
            try await writer.read(Self.place(2))
            time.move(by: 1)
            #expect(await readiness.response().status == .ok)
        }
        #expect(store.written.map(\.place) == [Self.place(1), Self.place(2)])
    }
}

extension ReceiptWriter {
    fileprivate func fetched(_ place: ReceiptKey) async throws {
        try await reserve(place)
        settle(place, isFetched: true)
    }
}
