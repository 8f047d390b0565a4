import CampaignCore
import NIOCore
import NIOHTTP1
import Synchronization

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
