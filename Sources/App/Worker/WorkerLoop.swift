import CampaignCore
import Delivery
import Logging
import Storage
import Synchronization

/// Takes part in every open run at a hub, several at once, until its task is cancelled.
///
/// A run or the store may fail temporarily or permanently. The work is therefore retried after
/// increasing waits, and a reason is reported once, then again if it changes.
struct WorkerLoop: Sendable {
    struct Operations: Sendable {
        /// The open runs at the worker's hub, earliest first.
        let openRuns: @Sendable () async throws -> [RunRecord]
        /// The hubs of other open runs.
        let otherHubs: @Sendable () async throws -> Set<HubIdentity>
        /// This process's part in a run, if the store has it.
        let part: @Sendable (RunID) async throws -> RunWorker?
        /// Waits until there may be more to do, or the time has passed.
        let wait: @Sendable (Duration) async throws -> Void
        /// Takes part in a run; returns nil if the run has ended or another process is ending it.
        let takePart: @Sendable (RunRecord) async throws -> RunResult?
    }

    /// The maximum number of runs at once.
    static let most = 8
    /// How long to wait for a notification from the store before checking it.
    private static let interval: Duration = .seconds(5)
    /// The maximum wait for an unreachable store, after which runs and `/health` notice that it is
    /// reachable again.
    static let longestStoreWait: Duration = .seconds(10)
    /// The minimum time between two checks, even if there are more notifications.
    private static let shortest: Duration = .milliseconds(100)

    private let operations: Operations
    private let figures: WorkerFigures
    private let logger: Logger
    private let now: @Sendable () -> Duration
    private let pause: @Sendable (Duration) async throws -> Void
    private let parts = WorkerParts()

    /// - Parameter logger: receives no names of people.
    init(
        _ operations: Operations, figures: WorkerFigures,
        clock: some Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.operations = operations
        self.figures = figures
        self.logger = logger
        let origin = clock.now
        now = { origin.duration(to: clock.now) }
        pause = { try await clock.sleep(for: $0) }
    }

    /// Works until cancelled, then finishes the requests in flight and leaves all runs.
    func work() async {
        let (ends, end) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            var trouble = RetryDelay(upTo: Self.longestStoreWait)
            while !Task.isCancelled {
                do {
                    for run in try await findRuns() {
                        group.addTask {
                            await takePart(in: run)
                            end.yield()
                        }
                    }
                    if trouble.end() { logger.warning("The store can be reached again") }
                    try await waitForMore(ends)
                } catch {
                    guard !Task.isCancelled else { break }
                    let reason = Self.reason(error)
                    if trouble.isNews(reason) {
                        logger.warning(
                            "The store cannot be used; the worker continues when it is available",
                            metadata: ["reason": "\(reason)"])
                    }
                    guard await hasWaited(trouble.next()) else { break }
                }
            }
            if parts.count > 0 {
                logger.notice(
                    "Stopping after the pushes in flight; everything is saved",
                    metadata: ["runs": "\(parts.count)"])
            }
        }
    }

    // MARK: Finding runs

    /// Finds open runs, and returns those to join now, which it marks as begun.
    private func findRuns() async throws -> [RunRecord] {
        let open = try await operations.openRuns()
        figures.noteStore()
        for hub in parts.news(of: try await operations.otherHubs()) {
            logger.warning(
                "There are runs at a hub that this worker is not configured for; other workers have to send them",
                metadata: ["hub": "\(hub)"])
        }
        for run in parts.runs { figures.note(try await operations.part(run), of: run) }
        return parts.begin(open, most: Self.most, at: now())
    }

    /// Waits until there may be more to do.
    private func waitForMore(_ ends: AsyncStream<Void>) async throws {
        try await pause(Self.shortest)
        guard parts.count >= Self.most else { return try await operations.wait(Self.interval) }
        // There is no room for another run until one of them ends.
        await withTaskGroup { group in
            group.addTask { _ = await hasWaited(Self.interval) }
            group.addTask { for await _ in ends { break } }
            await group.next()
            group.cancelAll()
        }
    }

    /// Waits; returns false if the task was cancelled.
    private func hasWaited(_ time: Duration) async -> Bool {
        do {
            try await pause(time)
            return true
        } catch {
            return false
        }
    }

    // MARK: A run

    private func takePart(in run: RunRecord) async {
        let logger = logger.of(run.id)
        figures.begin(run.id)
        defer { figures.end(run.id) }
        do {
            let result = try await operations.takePart(run)
            guard let trouble = trouble(after: result, logger) else {
                return parts.end(run.id, again: result == nil ? .soon : .atOnce, at: now())
            }
            postpone(run.id, for: trouble, logger)
        } catch {
            guard !Task.isCancelled else { return parts.end(run.id, again: .atOnce, at: now()) }
            postpone(run.id, for: Self.reason(error), logger)
        }
    }

    /// The reason for a failure after which the work is retried.
    static func reason(_ error: any Error) -> String {
        (error as? StoreError)?.whileWaiting ?? "\(error)"
    }

    /// Why a run should not be joined again immediately; nil if nothing is wrong.
    private func trouble(after result: RunResult?, _ logger: Logger) -> String? {
        switch result {
        case nil:
            logger.debug("Did not join a run because it has ended or another process is ending it")
        case .finished, .alreadyFinished: logger.info("A run has finished")
        case .waiting: logger.info("A run is waiting for its next wave")
        case .stopped, .ended: logger.info("A run was stopped")
        case .paused(.cancelled, _), .left(.cancelled, _, _):
            logger.info("Left a run: this worker was told to stop")
        case .paused(_, let reason), .left(_, let reason, _): return reason
        }
        return nil
    }

    private func postpone(_ run: RunID, for reason: String, _ logger: Logger) {
        let isNews = parts.end(run, because: reason, at: now())
        guard isNews else { return }
        logger.warning(
            "This worker does not take part in a run for now", metadata: ["reason": "\(reason)"])
    }
}

/// The runs that a worker takes part in, and those that it will not join for a while.
private final class WorkerParts: Sendable {
    /// When a run may be joined again.
    enum Again {
        case atOnce
        case soon
    }

    private struct Postponement {
        var until: Duration
        var delay: RetryDelay
    }

    private struct State {
        var runs: Set<RunID> = []
        var postponed: [RunID: Postponement] = [:]
        var hubs: Set<HubIdentity> = []
    }

    private static let soon: Duration = .seconds(1)

    private let state = Mutex(State())

    var count: Int { state.withLock(\.runs.count) }
    var runs: Set<RunID> { state.withLock(\.runs) }

    /// Starts open runs while there is room, and returns them; forgets runs that are no longer
    /// open.
    func begin(_ open: [RunRecord], most: Int, at now: Duration) -> [RunRecord] {
        state.withLock { state in
            let known = Set(open.map(\.id)).union(state.runs)
            state.postponed = state.postponed.filter { known.contains($0.key) }
            let free = open.filter { run in
                !state.runs.contains(run.id) && (state.postponed[run.id]?.until ?? now) <= now
            }.prefix(max(0, most - state.runs.count))
            state.runs.formUnion(free.map(\.id))
            return Array(free)
        }
    }

    /// Ends a part that did not fail.
    func end(_ run: RunID, again: Again, at now: Duration) {
        state.withLock { state in
            state.runs.remove(run)
            switch again {
            case .atOnce: state.postponed[run] = nil
            case .soon:
                let delay = state.postponed[run]?.delay ?? RetryDelay()
                state.postponed[run] = Postponement(until: now + Self.soon, delay: delay)
            }
        }
    }

    /// Ends a part that failed; returns whether to report the reason.
    func end(_ run: RunID, because reason: String, at now: Duration) -> Bool {
        state.withLock { state in
            state.runs.remove(run)
            var delay = state.postponed[run]?.delay ?? RetryDelay()
            let isNews = delay.isNews(reason)
            state.postponed[run] = Postponement(until: now + delay.next(), delay: delay)
            return isNews
        }
    }

    /// Returns the hubs that were not reported yet, and marks them as reported.
    func news(of hubs: Set<HubIdentity>) -> [HubIdentity] {
        state.withLock { state in
            let news = hubs.subtracting(state.hubs)
            state.hubs.formUnion(news)
            return news.sorted { "\($0)" < "\($1)" }
        }
    }
}
