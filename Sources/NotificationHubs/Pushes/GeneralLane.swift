import CampaignCore
import NIOCore
import NIOHTTP1
import Synchronization

/// One way in which pages go out to a hub; all of them mean the same.
protocol PushLane: Sendable {
    /// Sends every push of a page and hands over what became of each, as ``PushSender`` asks for.
    func send(
        _ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void
    ) async
}

/// Sends pages through the client's general way of making requests: the way to a hub behind a proxy.
///
/// A page has a fixed set of workers, each with one request at a time; permits bound the requests
/// in flight over all pages.
final class GeneralLane: PushLane {
    /// The longest time that a result waits for others, while the page goes on.
    static let flushInterval = Duration.milliseconds(250)

    private enum Event {
        case workerEnded
        case tick
    }

    private struct Pacers {
        var all = RequestPacer()
        var ofPlatform: [Platform: RequestPacer] = [:]
    }

    private let client: NotificationHubClient
    private let permits: RequestPermits
    private let pacers = Mutex(Pacers())
    /// Says when nothing more of the pages that are out can succeed.
    private let halts = Mutex(LaneHalts())

    /// Sends through a client, with as many requests in flight as its settings allow.
    ///
    /// - Parameter client: the client.
    init(client: NotificationHubClient) {
        self.client = client
        permits = RequestPermits(count: client.settings.concurrency)
    }

    func send(
        _ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void
    ) async {
        let progress = PageProgress(count: page.pushes.count)
        let shared = client.encoder.headers(for: page)
        let haltsBefore = halts.withLock { $0.count }
        var workers = min(client.settings.concurrency, page.pushes.count)
        guard workers > 0 else { return }
        permits.limit(page.platform, to: page.concurrency)

        await withTaskGroup(of: Event.self) { group in
            for _ in 0..<workers {
                group.addTask {
                    await self.work(on: page, shared, progress, haltsBefore: haltsBefore)
                    return .workerEnded
                }
            }
            group.addTask { await Self.tick() }
            while workers > 0, let event = await group.next() {
                switch event {
                case .workerEnded: workers -= 1
                // A cancelled sleep ends at once: then every worker's end hands over instead.
                case .tick: if !Task.isCancelled { group.addTask { await Self.tick() } }
                }
                guard event == .tick || workers == 0 || Task.isCancelled else { continue }
                let finished = progress.takeFinished()
                if !finished.isEmpty { await results(finished) }
            }
            group.cancelAll()
        }
    }

    private static func tick() async -> Event {
        do {
            try await Task.sleep(for: flushInterval)
        } catch {
            return .tick
        }
        return .tick
    }

    private func work(
        on page: PushPage, _ shared: HTTPHeaders, _ progress: PageProgress, haltsBefore: Int
    ) async {
        while let index = progress.takeNext() {
            let push = page.pushes[index]
            await permits.take(page.platform)
            if await waitForStart(of: page, haltsBefore: haltsBefore) {
                progress.finish(await send(push, shared))
            } else {
                let isCancelled = Task.isCancelled
                progress.finish(
                    halts.withLock { $0.result(of: push.number, isCancelled: isCancelled) })
            }
            permits.giveBack(page.platform)
        }
    }

    /// Waits for the pace.
    ///
    /// - Returns: false when the task was cancelled or a result has said that nothing more succeeds:
    ///   nothing may begin then.
    private func waitForStart(of page: PushPage, haltsBefore: Int) async -> Bool {
        guard !Task.isCancelled, halts.withLock({ $0.count }) == haltsBefore else { return false }
        let now = ContinuousClock.now
        let start = pacers.withLock { pacers in
            let whole = page.interval.map { pacers.all.takeStart(interval: $0, now: now) }
            let own = page.platformInterval.map {
                pacers.ofPlatform[page.platform, default: RequestPacer()]
                    .takeStart(interval: $0, now: now)
            }
            return max(whole ?? now, own ?? now)
        }
        if start > now {
            do {
                try await Task.sleep(until: start, clock: .continuous)
            } catch {
                return false
            }
        }
        return !Task.isCancelled && halts.withLock { $0.count } == haltsBefore
    }

    private func send(_ push: Push, _ shared: HTTPHeaders) async -> PushResult {
        switch push.tags {
        case .failure(let error):
            return PushResult(number: push.number, error)
        case .success(let tags):
            let start = ContinuousClock.now
            let outcome = await client.send(
                shared: shared, tags: tags, body: ByteBuffer(bytes: push.body))
            let now = ContinuousClock.now
            let isLate = now - start >= client.settings.requestTimeout
            halts.withLock { $0.note(outcome, from: start, to: now, isLate: isLate) }
            return PushResult(number: push.number, outcome)
        }
    }
}

/// Says when nothing more of the pages that are out can succeed, from what became of requests.
///
/// Either an answer said so, or the hub is away: then the rest comes back with the failure that it would meet too, and
/// nobody has to find out by themselves. It is pure; its owner locks.
private struct LaneHalts {
    private enum Reason {
        case stopped
        /// With what is said about each push then.
        case away(detail: String)
    }

    /// How often it was said; a page ends its sending when it changes.
    private(set) var count = 0
    private var reason = Reason.stopped
    private var last: ContinuousClock.Instant?
    private var lastAnswer: ContinuousClock.Instant?

    /// Takes note of what became of a push.
    ///
    /// - Parameters:
    ///   - outcome: what the client says.
    ///   - start: when it began.
    ///   - now: the present.
    ///   - isLate: whether it took all the time that a request has.
    mutating func note(
        _ outcome: SendOutcome, from start: ContinuousClock.Instant,
        to now: ContinuousClock.Instant, isLate: Bool
    ) {
        guard case .failure(let error) = outcome.result else { return lastAnswer = now }
        guard error.status == nil else {
            lastAnswer = now
            if case .stop = error.disposition { halt(.stopped, at: now) }
            return
        }
        // Those that were under way together say only one thing, and an answer meanwhile says another.
        let isFirst = last.map { $0 < start } ?? true
        let isAlone = lastAnswer.map { $0 >= start } ?? false
        switch error.disposition {
        case .stop:
            halt(.stopped, at: now)
        case .retry where isFirst && !isAlone:
            halt(.away(detail: error.summary), at: now)
        case .unknown where isLate && isFirst && !isAlone:
            halt(.away(detail: error.summary), at: now)
        case .accepted, .rejected, .retry, .unknown:
            break
        }
    }

    /// What becomes of a push that is not begun any more.
    func result(of number: Int, isCancelled: Bool) -> PushResult {
        if !isCancelled, case .away(let detail) = reason {
            return PushResult(
                number: number, disposition: .retry(after: nil, cause: .unreachable),
                detail: detail,
                requests: 0)
        }
        return PushResult(number: number, disposition: .notSent, requests: 0)
    }

    private mutating func halt(_ reason: Reason, at now: ContinuousClock.Instant) {
        count += 1
        self.reason = reason
        last = now
    }
}

/// Where a page stands: what the workers take next and what they have finished.
private final class PageProgress: Sendable {
    private struct State {
        var next = 0
        var finished: [PushResult] = []
    }

    private let count: Int
    private let state = Mutex(State())

    /// Begins a page.
    ///
    /// - Parameter count: how many pushes it has.
    init(count: Int) {
        self.count = count
    }

    /// Takes the next push that nobody has begun.
    ///
    /// - Returns: its index in the page; nil when there is none.
    func takeNext() -> Int? {
        state.withLock { state in
            guard state.next < count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    /// Keeps a result until it is handed over.
    func finish(_ result: PushResult) {
        state.withLock { $0.finished.append(result) }
    }

    /// Takes the results that came since the last call.
    func takeFinished() -> [PushResult] {
        state.withLock { state in
            defer { state.finished = [] }
            return state.finished
        }
    }
}

/// Bounds the requests in flight over all pages of a sender, and over those of each platform.
///
/// The platform with the fewest in flight goes first; within one, first come, first served. Waiting is
/// not cut short by cancellation: every permit comes back within a request's timeout, and a page has
/// to wait for its own requests in flight anyway.
private final class RequestPermits: Sendable {
    private struct Share {
        var limit = Int.max
        var taken = 0
        var waiters: [CheckedContinuation<Void, Never>] = []

        var hasRoom: Bool { taken < limit }
    }

    private struct State {
        var free: Int
        var shares: [Platform: Share] = [:]

        /// Takes a permit for those that wait, one after the other, for as long as there are any.
        mutating func takeForWaiters() -> [CheckedContinuation<Void, Never>] {
            var lucky: [CheckedContinuation<Void, Never>] = []
            while free > 0,
                let next = shares.filter({ !$0.value.waiters.isEmpty && $0.value.hasRoom })
                    .min(by: { $0.value.taken < $1.value.taken })?.key,
                let waiter = shares[next]?.waiters.removeFirst()
            {
                free -= 1
                shares[next]?.taken += 1
                lucky.append(waiter)
            }
            return lucky
        }
    }

    private let state: Mutex<State>

    /// Makes permits.
    ///
    /// - Parameter count: how many requests may be in flight, 1 or more.
    init(count: Int) {
        state = Mutex(State(free: count))
    }

    /// Bounds a platform.
    ///
    /// - Parameters:
    ///   - platform: the platform.
    ///   - limit: its requests in flight, at least 1; nil: as many as there are permits.
    func limit(_ platform: Platform, to limit: Int?) {
        change { $0.shares[platform, default: Share()].limit = limit.map { max($0, 1) } ?? .max }
    }

    /// Takes a permit, waiting for one if all are out.
    func take(_ platform: Platform) async {
        await withCheckedContinuation { continuation in
            change { $0.shares[platform, default: Share()].waiters.append(continuation) }
        }
    }

    /// Gives a permit back, to the one whose turn it is.
    func giveBack(_ platform: Platform) {
        change { state in
            state.free += 1
            state.shares[platform]?.taken -= 1
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let lucky = state.withLock { state in
            body(&state)
            return state.takeForWaiters()
        }
        for waiter in lucky { waiter.resume() }
    }
}

/// Hands out the instants at which requests may start.
///
/// It is pure; its owner waits. One pacer for all pages of a sender: pages that overlap then keep
/// to the rate together.
struct RequestPacer: Sendable {
    private var next: ContinuousClock.Instant?

    /// Takes the next start.
    ///
    /// - Parameters:
    ///   - interval: the least time to the start after this one.
    ///   - now: the present.
    /// - Returns: when to start; never before `now`. Time that was not used is not saved up for a
    ///   burst.
    mutating func takeStart(
        interval: Duration, now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        let start = max(next ?? now, now)
        next = start + interval
        return start
    }
}
