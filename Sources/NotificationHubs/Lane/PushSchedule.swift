import CampaignCore
import NIOCore

/// Decides which push is started next, and when, but neither waits nor sends.
///
/// The platform with the fewest requests in flight goes first, so that a slow platform does not
/// take all connections. Among platforms with the same number, the one that has waited longest goes
/// first.
struct PushSchedule {
    enum Next {
        case push(page: Int, index: Int)
        /// Start nothing before an instant.
        case pause(until: NIODeadline)
        /// Start nothing until a page is added or a request ends.
        case nothing
    }

    private var queues = Platform.allCases.map { _ in PlatformQueue() }
    private var pacer = StartPacer()
    private var turn = 0

    mutating func add(_ page: OutgoingPage, as id: Int) {
        queues[page.platform.number].add(page, as: id)
    }

    /// Removes a page, and returns the indices of its pushes that have not started.
    mutating func remove(_ id: Int, of platform: Platform) -> Range<Int> {
        queues[platform.number].remove(id)
    }

    mutating func end(_ platform: Platform) {
        queues[platform.number].end()
    }

    /// Returns the next push and marks it as started, or returns when to try again.
    mutating func next(now: NIODeadline) -> Next {
        var best: (queue: Int, page: PlatformQueue.Page)?
        var earliest: NIODeadline?
        for offset in 0..<queues.count {
            let candidate = (turn + offset) % queues.count
            guard let page = queues[candidate].ready else { continue }
            let start = max(
                pacer.earliest(page.interval),
                queues[candidate].pacer.earliest(page.platformInterval))
            if start > now {
                earliest = min(earliest ?? start, start)
            } else if best.map({ queues[candidate].inFlight < queues[$0.queue].inFlight }) ?? true {
                best = (candidate, page)
            }
        }
        guard let (queue, page) = best else {
            return earliest.map { .pause(until: $0) } ?? .nothing
        }
        pacer.start(page.interval, now: now)
        queues[queue].begin(now: now)
        turn = (queue + 1) % queues.count
        return .push(page: page.id, index: page.next)
    }
}

/// The pages of one platform that still have pushes to start.
private struct PlatformQueue {
    struct Page {
        let id: Int
        let interval: Duration?
        let platformInterval: Duration?
        var next = 0
        let count: Int
    }

    private var pages: [Page] = []
    private var concurrency = Int.max
    private(set) var inFlight = 0
    private(set) var pacer = StartPacer()

    /// The next push; nil if no push can start.
    var ready: Page? { inFlight < concurrency ? pages.first : nil }

    mutating func add(_ page: OutgoingPage, as id: Int) {
        concurrency = page.concurrency.map { max($0, 1) } ?? .max
        guard !page.pushes.isEmpty else { return }
        pages.append(
            Page(
                id: id, interval: page.interval, platformInterval: page.platformInterval,
                count: page.pushes.count))
    }

    mutating func begin(now: NIODeadline) {
        inFlight += 1
        pacer.start(pages[0].platformInterval, now: now)
        pages[0].next += 1
        if pages[0].next == pages[0].count { pages.removeFirst() }
    }

    mutating func end() {
        inFlight -= 1
    }

    mutating func remove(_ id: Int) -> Range<Int> {
        guard let place = pages.firstIndex(where: { $0.id == id }) else { return 0..<0 }
        let page = pages.remove(at: place)
        return page.next..<page.count
    }
}

/// Decides when the next request can start, so that a rate is reached but not exceeded.
///
/// Timers are too late for short intervals, so starts follow a slightly wider grid: a start that is
/// late by up to the slack does not delay the next one. No second contains more starts than
/// requested, except for one extra start at its edge. There is no burst after a pause.
struct StartPacer: Sendable {
    /// How late a start can be without delaying the next one.
    static let slack = TimeAmount.milliseconds(10)

    /// The shortest pause, which prevents the loop from waking up for each start at a high rate.
    static let grain = TimeAmount.microseconds(500)

    private var next = NIODeadline.uptimeNanoseconds(0)

    /// When the next request can start, which may be in the past.
    func earliest(_ interval: Duration?) -> NIODeadline {
        interval == nil ? .uptimeNanoseconds(0) : next
    }

    /// Records a start; a start without an interval is ignored.
    mutating func start(_ interval: Duration?, now: NIODeadline) {
        guard let interval else { return }
        let step = TimeAmount(interval)
        if step < Self.slack {
            let wider = TimeAmount.nanoseconds(step.nanoseconds + step.nanoseconds / 100 + 1)
            next = max(next, now - Self.slack) + wider
        } else {
            next = now + step
        }
    }
}
