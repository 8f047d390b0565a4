import CampaignCore
import Foundation
import InMemoryLogging
import Logging
import Synchronization
import Testing

@testable import AppBackend

/// Receipts are written in groups, and none is lost without a word.
@Suite(.timeLimit(.minutes(1)))
struct ReceiptWriterTests {
    private static func place(_ number: Int) -> ReceiptPlace {
        ReceiptPlace(run: 1, number: number)
    }

    private static func run<Value: Sendable>(
        _ store: RecordingStore, capacity: Int = 1_000, gathering: Duration = .zero,
        logger: Logger = BackendUnderTest.quiet, time: AdjustableTime = AdjustableTime(),
        _ test: @escaping @Sendable (ReceiptWriter) async throws -> Value
    ) async throws -> Value {
        var limits = BackendLimits()
        limits.receipts = capacity
        limits.gathering = gathering
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

    @Test func whatArrivesDuringATransactionGoesIntoTheNextOne() async throws {
        let store = RecordingStore(isHeld: true)
        try await Self.run(store) { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await writer.read(Self.place(0)) }
                await store.hasBegun(1)
                for number in 1...50 {
                    group.addTask { try await writer.read(Self.place(number)) }
                }
                while writer.waitingCount < 50 { await Task.yield() }
                store.release()
                try await group.waitForAll()
            }
        }
        #expect(store.batches.map(\.count) == [1, 50])
    }

    @Test func aFetchThatIsStillGatheredWhenTheServerStopsIsWritten() async throws {
        let store = RecordingStore()
        try await Self.run(store, gathering: .seconds(3_600)) { writer in
            let slot = await writer.slot(for: Self.place(1))
            slot.fill()
            slot.fill()
            _ = await writer.slot(for: Self.place(2))
        }
        #expect(store.written.map(\.place) == [Self.place(1)])
        #expect(store.written.map(\.kind) == [.fetched])
    }

    @Test func aStoreThatComesBackGetsEverything() async throws {
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

    @Test func aReaderIsToldWhenTheStoreStaysAwayAndItsReceiptIsWrittenLater() async throws {
        let store = RecordingStore(failures: 10)
        let time = AdjustableTime()
        try await Self.run(store, time: time) { writer in
            _ = await #expect(throws: BackendFailure.unavailable(after: .seconds(1))) {
                try await writer.read(Self.place(1))
            }
        }
        #expect(store.written.map(\.place) == [Self.place(1)])
    }

    @Test func oneBadReceiptHoldsUpNoOther() async throws {
        let store = RecordingStore(poison: 7)
        let log = InMemoryLogHandler()
        try await Self.run(store, logger: Logger(label: "test") { _ in log }) { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...20 {
                    group.addTask {
                        do {
                            try await writer.read(Self.place(number))
                            #expect(number != 7)
                        } catch BackendFailure.unavailable {
                            #expect(number == 7)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(Set(store.written.map(\.place.number)) == Set(1...20).subtracting([7]))
        // At the end it is given up, and not in silence.
        #expect(log.entries.contains { $0.level == .error && "\($0.message)".contains("lost") })
    }

    @Test func aReadThatFindsNoRoomIsTurnedAwayAndAFetchWaits() async throws {
        let store = RecordingStore(isHeld: true)
        try await Self.run(store, capacity: 1) { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await writer.read(Self.place(1)) }
                await store.hasBegun(1)
                await #expect(throws: BackendFailure.busy(after: .seconds(1))) {
                    try await writer.read(Self.place(2))
                }
                group.addTask { await writer.slot(for: Self.place(3)).fill() }
                store.release()
                try await group.waitForAll()
            }
        }
        #expect(store.written.map(\.place) == [Self.place(1), Self.place(3)])
    }
}
