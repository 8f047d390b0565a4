import CampaignCore
import Delivery
import Logging
import Storage
import Synchronization

/// Takes part in every run that goes on at a hub, several at once, until its task is cancelled.
///
/// A run or the store may fail here, such as when the hub refuses the credentials, and that may pass or not. So the work is tried again
/// after growing waits, and the reason is told once, and again when it changes.
struct WorkerLoop: Sendable {
    /// What it does its work with.
    struct Means: Sendable {
        /// The runs that go on at its hub, the earliest first.
        let openRuns: @Sendable () async throws -> [RunRecord]
        /// The hubs at which other runs go on.
        let otherHubs: @Sendable () async throws -> Set<HubIdentity>
        /// What the store says of this process's part in a run; nil: the store has no such part.
        let part: @Sendable (RunID) async throws -> RunWorker?
        /// Waits until there may be more to do, or the time has passed.
        let wait: @Sendable (Duration) async throws -> Void
        /// Takes part in a run; nil: the run does not go on, or another process decides about it at this moment.
        let takePart: @Sendable (RunRecord) async throws -> RunResult?
    }

    /// In how many runs it takes part at once.
    static let most = 8
    /// How long it waits for news of the store before it looks by itself.
    private static let interval: Duration = .seconds(5)
    /// The longest wait for a store that is away: within this time after it is back, runs go on here, and `/health` says so.
    static let storePatience: Duration = .seconds(10)
    /// The least time between two looks, however often there are news.
    private static let shortest: Duration = .milliseconds(100)

    private let means: Means
    private let figures: WorkerFigures
    private let logger: Logger
    private let now: @Sendable () -> Duration
    private let pause: @Sendable (Duration) async throws -> Void
    private let parts = WorkerParts()

    /// - Parameters:
    ///   - means: what it does its work with.
    ///   - figures: takes note of what the loop does.
    ///   - clock: what waits are measured by.
    ///   - logger: where it logs; no names.
    init(
        _ means: Means, figures: WorkerFigures, clock: some Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.means = means
        self.figures = figures
        self.logger = logger
        let origin = clock.now
        now = { origin.duration(to: clock.now) }
        pause = { try await clock.sleep(for: $0) }
    }

    /// Works until the task is cancelled; then nothing new begins, what is in flight ends, and all parts are left.
    func work() async {
        let (ends, end) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            var trouble = GrowingPatience(upTo: Self.storePatience)
            while !Task.isCancelled {
                do {
                    for run in try await look() {
                        group.addTask {
                            await takePart(in: run)
                            end.yield()
                        }
                    }
                    if trouble.end() { logger.warning("The store can be reached again") }
                    try await rest(ends)
                } catch {
                    guard !Task.isCancelled else { break }
                    let reason = Self.reason(error)
                    if trouble.isNews(reason) {
                        logger.warning(
                            "The store cannot be used; the worker goes on when it can",
                            metadata: ["reason": "\(reason)"])
                    }
                    guard await isPatient(for: trouble.next()) else { break }
                }
            }
            if parts.count > 0 {
                logger.notice(
                    "Stopping: what is in flight ends and is saved",
                    metadata: ["runs": "\(parts.count)"])
            }
        }
    }

    // MARK: What there is to do

    /// Looks for runs that go on.
    ///
    /// - Returns: the runs to take part in now; they count as begun.
    private func look() async throws -> [RunRecord] {
        let open = try await means.openRuns()
        figures.noteStore()
        for hub in parts.news(of: try await means.otherHubs()) {
            logger.warning(
                "Runs go on at a hub that this worker is not configured for; it leaves them to others",
                metadata: ["hub": "\(hub)"])
        }
        for run in parts.runs { figures.note(try await means.part(run), of: run) }
        return parts.begin(open, most: Self.most, at: now())
    }

    /// Waits until there may be more to do.
    private func rest(_ ends: AsyncStream<Void>) async throws {
        try await pause(Self.shortest)
        guard parts.count >= Self.most else { return try await means.wait(Self.interval) }
        // There is no room for another run until one of them ends.
        await withTaskGroup { group in
            group.addTask { _ = await isPatient(for: Self.interval) }
            group.addTask { for await _ in ends { break } }
            await group.next()
            group.cancelAll()
        }
    }

    /// Waits; false when the task was cancelled.
    private func isPatient(for time: Duration) async -> Bool {
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
            let result = try await means.takePart(run)
            guard let trouble = trouble(after: result, logger) else {
                return parts.end(run.id, again: result == nil ? .soon : .atOnce, at: now())
            }
            postpone(run.id, for: trouble, logger)
        } catch {
            guard !Task.isCancelled else { return parts.end(run.id, again: .atOnce, at: now()) }
            postpone(run.id, for: Self.reason(error), logger)
        }
    }

    /// Why something that is tried again has failed.
    static func reason(_ error: any Error) -> String {
        (error as? StoreError)?.whileWaiting ?? "\(error)"
    }

    /// Why a run should not be taken part in again at once; nil: nothing is wrong.
    private func trouble(after result: RunResult?, _ logger: Logger) -> String? {
        switch result {
        case nil:
            logger.debug("Did not take part in a run: it does not go on, or others decide about it")
        case .finished, .alreadyFinished: logger.info("A run has finished")
        case .waiting: logger.info("A run waits for the turns of others")
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

/// The runs that a worker takes part in, and those that it leaves alone for a while.
private final class WorkerParts: Sendable {
    /// When a run may be taken part in again.
    enum Again {
        case atOnce
        case soon
    }

    private struct Rest {
        var until: Duration
        var patience: GrowingPatience
    }

    private struct State {
        var runs: Set<RunID> = []
        var rests: [RunID: Rest] = [:]
        var hubs: Set<HubIdentity> = []
    }

    private static let soon: Duration = .seconds(1)

    private let state = Mutex(State())

    /// In how many runs it takes part.
    var count: Int { state.withLock(\.runs.count) }
    /// The runs in which it takes part.
    var runs: Set<RunID> { state.withLock(\.runs) }

    /// Takes runs up, as many as there is room for.
    ///
    /// - Parameters:
    ///   - open: the runs that go on; others are forgotten.
    ///   - most: how many at once.
    ///   - now: the time.
    /// - Returns: the runs that begin now.
    func begin(_ open: [RunRecord], most: Int, at now: Duration) -> [RunRecord] {
        state.withLock { state in
            let known = Set(open.map(\.id)).union(state.runs)
            state.rests = state.rests.filter { known.contains($0.key) }
            let free = open.filter { run in
                !state.runs.contains(run.id) && (state.rests[run.id]?.until ?? now) <= now
            }.prefix(max(0, most - state.runs.count))
            state.runs.formUnion(free.map(\.id))
            return Array(free)
        }
    }

    /// Ends a part with which nothing was wrong.
    func end(_ run: RunID, again: Again, at now: Duration) {
        state.withLock { state in
            state.runs.remove(run)
            switch again {
            case .atOnce: state.rests[run] = nil
            case .soon:
                let patience = state.rests[run]?.patience ?? GrowingPatience()
                state.rests[run] = Rest(until: now + Self.soon, patience: patience)
            }
        }
    }

    /// Ends a part that failed for a reason.
    ///
    /// - Returns: whether the reason is to be told.
    func end(_ run: RunID, because reason: String, at now: Duration) -> Bool {
        state.withLock { state in
            state.runs.remove(run)
            var patience = state.rests[run]?.patience ?? GrowingPatience()
            let isNews = patience.isNews(reason)
            state.rests[run] = Rest(until: now + patience.next(), patience: patience)
            return isNews
        }
    }

    /// The hubs that people were not told of yet; they count as told from now on.
    func news(of hubs: Set<HubIdentity>) -> [HubIdentity] {
        state.withLock { state in
            let news = hubs.subtracting(state.hubs)
            state.hubs.formUnion(news)
            return news.sorted { "\($0)" < "\($1)" }
        }
    }
}
