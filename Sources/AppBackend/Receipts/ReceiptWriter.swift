import CampaignCore
import FoundationEssentials
import Logging
import ServiceLifecycle
import Synchronization

/// Writes down who fetched and who read what; many receipts share a transaction.
///
/// What arrives while a transaction is being written goes into the next one. A `read` waits until
/// it is durable. A `fetched` holds nobody up; it is written within ``BackendLimits/gathering``, so
/// that a crowd that only fetches leaves the store to others most of the time. Nothing is lost
/// while the store is away: it is tried again and again, and the log says so.
final class ReceiptWriter: Service {
    /// Rows of one transaction, so that others who use the store do not wait.
    private static let largestBatch = 2_000
    /// How long a `read` waits for a store that does not take it.
    private static let patience: TimeInterval = 3
    private static let longestPause = Duration.seconds(1)
    /// Tries after the server ended; then what is left is given up, and the log says how much.
    private static let lastTries = 10

    /// How the store fares, as the one loop that writes sees it.
    private struct Fortune {
        var failures = 0
        var limit = ReceiptWriter.largestBatch
        var pause = Duration.milliseconds(25)
    }

    private let store: any NotificationStore
    private let gathering: Duration
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let queue: Mutex<ReceiptQueue>
    private let arrivals = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let turns = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        store: any NotificationStore, limits: BackendLimits, clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date, logger: Logger
    ) {
        self.store = store
        queue = Mutex(ReceiptQueue(capacity: limits.receipts))
        self.gathering = limits.gathering
        self.clock = clock
        self.now = now
        self.logger = logger
    }

    /// How many receipts wait to be written.
    var waitingCount: Int { queue.withLock(\.entries.count) }

    // MARK: Receipts

    /// Writes down that a notification was read; durable when it returns.
    ///
    /// - Throws: ``BackendFailure`` when too many wait already, or the store does not take it for
    ///   seconds; in the second case it is still written later.
    func read(_ place: ReceiptPlace) async throws {
        let receipt = Receipt(place: place, kind: .read, time: now())
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = queue.withLock { $0.add(receipt, reader: continuation) }
            guard isTaken else {
                return continuation.resume(throwing: BackendFailure.busy(after: .seconds(1)))
            }
            turns.continuation.yield()
        }
    }

    /// Keeps room for a `fetched` before the answer goes out, so that there is some when it has
    /// gone out; waits for it.
    func slot(for place: ReceiptPlace) async -> ReceiptSlot {
        while !queue.withLock({ $0.reserve() }) {
            await withCheckedContinuation { continuation in
                if !queue.withLock({ $0.wait(continuation) }) { continuation.resume() }
            }
        }
        return ReceiptSlot(place: place, writer: self)
    }

    /// Takes a `fetched` into the room that was kept for it, or gives the room back.
    func settle(_ place: ReceiptPlace, isFetched: Bool) {
        let receipt = isFetched ? Receipt(place: place, kind: .fetched, time: now()) : nil
        let (isTaken, waiters) = queue.withLock { ($0.settle(receipt), $0.takeWaiters()) }
        waiters.forEach { $0.resume() }
        if !isTaken {
            logger.error("A payload went out after the last receipts were written; its is lost.")
        }
        if isFetched { arrivals.continuation.yield() }
    }

    // MARK: Writing

    /// Writes until a graceful shutdown comes or the task is cancelled, and then what is left.
    func run() async throws {
        await withGracefulShutdownHandler {
            await withTaskCancellationHandler {
                await withDiscardingTaskGroup { group in
                    group.addTask { await self.gather() }
                    await self.write()
                    group.cancelAll()
                }
            } onCancel: {
                self.close()
            }
        } onGracefulShutdown: {
            self.close()
        }
    }

    private func close() {
        let waiters = queue.withLock { queue in
            queue.close()
            return queue.takeWaiters()
        }
        waiters.forEach { $0.resume() }
        arrivals.continuation.finish()
        turns.continuation.finish()
    }

    /// Lets the first fetch wait for others.
    private func gather() async {
        for await _ in arrivals.stream {
            do {
                try await clock.sleep(for: gathering)
            } catch {
                return  // It is the end, and what is queued is written at once.
            }
            turns.continuation.yield()
        }
    }

    private func write() async {
        var fortune = Fortune()
        for await _ in turns.stream { await drain(&fortune) }
        await drain(&fortune)
        let left = queue.withLock { $0.take(.max) }
        left.forEach { $0.reader?.resume(throwing: BackendFailure.unavailable(after: .seconds(1))) }
        guard !left.isEmpty else { return }
        logger.error(
            "Receipts could not be written and are lost.", metadata: ["count": "\(left.count)"])
    }

    private func drain(_ fortune: inout Fortune) async {
        while true {
            let limit = fortune.limit
            let batch = queue.withLock { $0.take(limit) }
            if batch.isEmpty { return }
            do {
                try await store.record(batch.map(\.receipt))
                succeed(batch, &fortune)
            } catch {
                fail(batch, error, &fortune)
                if queue.withLock(\.isClosed), fortune.failures >= Self.lastTries { return }
                await pause(fortune.pause)
            }
        }
    }

    private func succeed(_ batch: [ReceiptQueue.Entry], _ fortune: inout Fortune) {
        let waiters = queue.withLock { queue in
            queue.written()
            return queue.takeWaiters()
        }
        for entry in batch { entry.reader?.resume() }
        waiters.forEach { $0.resume() }
        if fortune.failures > 0 { logger.notice("Receipts are being written again.") }
        fortune = Fortune(limit: min(fortune.limit * 2, Self.largestBatch))
    }

    /// Puts a batch at the end of the queue; from then on one at a time is tried, so that one bad
    /// receipt holds up no other.
    private func fail(
        _ batch: [ReceiptQueue.Entry], _ error: any Error, _ fortune: inout Fortune
    ) {
        if fortune.failures.isMultiple(of: 60) {
            logger.error(
                "Receipts cannot be written; trying again.",
                metadata: ["error": "\(error)", "count": "\(batch.count)"])
        }
        fortune = Fortune(
            failures: fortune.failures + 1, limit: 1,
            pause: min(fortune.pause * 2, Self.longestPause))
        let latest = now().addingTimeInterval(-Self.patience)
        let impatient = queue.withLock { $0.putBack(batch, patientSince: latest) }
        impatient.forEach { $0.resume(throwing: BackendFailure.unavailable(after: .seconds(1))) }
    }

    private func pause(_ time: Duration) async {
        do {
            try await clock.sleep(for: time)
        } catch {
            return  // Nobody waits any longer than the last tries take.
        }
    }
}
