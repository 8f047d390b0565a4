import CampaignCore
import FoundationEssentials
import Logging
import ServiceLifecycle
import Synchronization

/// Records fetches and reads; many receipts share a transaction.
///
/// Receipts that arrive during a transaction go into the next one. A `read` request waits until its
/// receipt is durable. A `fetched` receipt delays no request: it is written within
/// ``BackendLimits/gathering``, so simultaneous fetches leave the store free most of the time.
/// While the store fails, receipts are kept and retried, and the failure is logged.
final class ReceiptWriter: Service {
    /// During shutdown, the number of consecutive failures after which the remaining receipts are
    /// dropped and counted in the log.
    private static let lastTries = 10

    private let store: any NotificationStore
    private let gathering: Duration
    private let timeout: Duration
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
        gathering = limits.gathering
        timeout = limits.receiptTimeout
        self.clock = clock
        self.now = now
        self.logger = logger
    }

    /// Since when receipts could not be written; nil if the failure has not lasted longer than a
    /// request waits.
    var failingSince: Date? {
        guard let since = queue.withLock(\.failingSince),
            now().timeIntervalSince(since) >= timeout / .seconds(1)
        else { return nil }
        return since
    }

    // MARK: Receipts

    /// Durably records that a notification was read.
    ///
    /// - Throws: ``BackendFailure`` if the queue is full, or if the store fails for several
    ///   seconds; in the latter case, the receipt is still written later.
    func read(_ place: ReceiptKey) async throws {
        let receipt = Receipt(place: place, kind: .read, time: now())
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = queue.withLock { $0.add(receipt, reader: continuation) }
            guard isTaken else {
                return continuation.resume(throwing: BackendFailure.busy(after: .seconds(1)))
            }
            turns.continuation.yield()
        }
    }

    /// Reserves room for a `fetched` receipt before the response is sent, waiting for room as long
    /// as a `read` may.
    ///
    /// The room is reserved until ``settle(_:isFetched:)``, which must be called exactly once.
    ///
    /// - Throws: ``BackendFailure/busy(after:)`` if there is no room in time, or on cancellation.
    func reserve(_ place: ReceiptKey) async throws(BackendFailure) {
        if queue.withLock({ $0.reserve(place) }) { return }
        let isReserved = await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.reserveOnceRoom(place) }
            group.addTask {
                await self.pause(self.timeout)
                return false
            }
            var isReserved = false
            for await isRoom in group {
                // Room that was found at the last moment is used.
                isReserved = isReserved || isRoom
                group.cancelAll()
            }
            return isReserved
        }
        guard isReserved else { throw .busy(after: .seconds(1)) }
    }

    /// Waits for room; returns false on cancellation.
    private func reserveOnceRoom(_ place: ReceiptKey) async -> Bool {
        while !Task.isCancelled {
            if queue.withLock({ $0.reserve(place) }) { return true }
            let (news, waiter) = AsyncStream.makeStream(of: Never.self)
            guard let number = queue.withLock({ $0.wait(waiter) }) else { continue }
            for await _ in news {}
            queue.withLock { $0.stopWaiting(number) }
        }
        return false
    }

    /// Adds a `fetched` receipt in its reserved room, or gives the room back.
    func settle(_ place: ReceiptKey, isFetched: Bool) {
        let time = isFetched ? now() : nil
        let (isTaken, isFirst, waiters) = queue.withLock { queue in
            let wasEmpty = queue.count == 0
            let isTaken = queue.settle(place, fetched: time)
            return (isTaken, wasEmpty && queue.count > 0, queue.takeWaiters())
        }
        waiters.forEach { $0.finish() }
        if !isTaken {
            logger.error(
                "A payload was sent after the last receipts were written; its receipt is lost.")
        }
        // Only the first receipt needs a signal; later ones are taken together with it.
        if isFirst { arrivals.continuation.yield() }
    }

    // MARK: Writing

    /// Writes until graceful shutdown or cancellation, then writes what is left.
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
        waiters.forEach { $0.finish() }
        arrivals.continuation.finish()
        turns.continuation.finish()
    }

    private func gather() async {
        for await _ in arrivals.stream {
            do {
                try await clock.sleep(for: gathering)
            } catch {
                return  // During shutdown, queued receipts are written immediately.
            }
            turns.continuation.yield()
        }
    }

    private func write() async {
        var backoff = ReceiptBackoff()
        for await _ in turns.stream { await drain(&backoff) }
        await drain(&backoff)
        let left = queue.withLock { $0.giveUp() }
        left.readers.forEach {
            $0.resume(throwing: BackendFailure.unavailable(after: .seconds(1)))
        }
        guard left.count > 0 else { return }
        logger.error(
            "Receipts could not be written and are lost.", metadata: ["count": "\(left.count)"])
    }

    private func drain(_ backoff: inout ReceiptBackoff) async {
        while true {
            let limit = backoff.batchSize
            let batch = queue.withLock { $0.take(limit) }
            if batch.isEmpty { return }
            do {
                try await store.record(batch)
                if backoff.failures > 0 { logger.notice("Receipts are being written again.") }
                backoff.succeed()
                finish(batch)
            } catch {
                if backoff.failures.isMultiple(of: 60) {
                    logger.error(
                        "Receipts cannot be written; trying again.",
                        metadata: ["error": "\(error)", "count": "\(batch.count)"])
                }
                backoff.fail()
                putBack(batch)
                if queue.withLock(\.isClosed), backoff.failures >= Self.lastTries { return }
                await pause(backoff.pause)
            }
        }
    }

    private func finish(_ batch: [Receipt]) {
        let (readers, waiters) = queue.withLock { ($0.written(batch), $0.takeWaiters()) }
        readers.forEach { $0.resume() }
        waiters.forEach { $0.finish() }
    }

    private func putBack(_ batch: [Receipt]) {
        let (time, timeout) = (now(), timeout / .seconds(1))
        let impatient = queue.withLock { $0.putBack(batch, at: time, timeout: timeout) }
        impatient.forEach { $0.resume(throwing: BackendFailure.unavailable(after: .seconds(1))) }
    }

    private func pause(_ time: Duration) async {
        do {
            try await clock.sleep(for: time)
        } catch {
            return  // During shutdown, requests no longer wait.
        }
    }
}
