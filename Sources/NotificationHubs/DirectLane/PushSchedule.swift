import CampaignCore
import NIOCore

/// Decides which push begins next, and when; it neither waits nor sends.
///
/// The platform with the fewest requests in flight goes first, so that a slow one does not take the
/// connections from the others; of equals, the one whose last start was longest ago.
struct PushSchedule {
    /// What to do next.
    enum Next {
        /// Begin this push of a page.
        case push(OutgoingPage, Int)
        /// Begin nothing before an instant.
        case pause(until: NIODeadline)
        /// Begin nothing until a page comes or a request ends.
        case nothing
    }

    private var queues = Platform.allCases.map { _ in PlatformQueue() }
    private var pacer = StartPacer()
    private var turn = 0

    /// Takes a page in.
    mutating func add(_ page: OutgoingPage) {
        queues[Self.index(page.platform)].add(page)
    }

    /// Takes a page out; what has begun of it goes on.
    mutating func remove(_ page: OutgoingPage) {
        queues[Self.index(page.platform)].remove(page)
    }

    /// Says that a request of a platform is no longer in flight.
    mutating func end(_ platform: Platform) {
        queues[Self.index(platform)].end()
    }

    /// What to do next; a push that it names counts as begun.
    ///
    /// - Parameter now: the present.
    /// - Returns: a push, or when to ask again.
    mutating func next(now: NIODeadline) -> Next {
        var best: Int?
        var earliest: NIODeadline?
        for offset in 0..<queues.count {
            let candidate = (turn + offset) % queues.count
            guard let page = queues[candidate].ready else { continue }
            let start = max(
                pacer.earliest(page.interval),
                queues[candidate].pacer.earliest(page.platformInterval))
            if start > now {
                earliest = min(earliest ?? start, start)
            } else if best.map({ queues[candidate].inFlight < queues[$0].inFlight }) ?? true {
                best = candidate
            }
        }
        guard let best, let (page, index) = queues[best].take() else {
            return earliest.map { .pause(until: $0) } ?? .nothing
        }
        pacer.start(page.interval, now: now)
        queues[best].pacer.start(page.platformInterval, now: now)
        turn = (best + 1) % queues.count
        return .push(page, index)
    }

    private static func index(_ platform: Platform) -> Int {
        switch platform {
        case .apns: 0
        case .fcm: 1
        case .wns: 2
        }
    }
}

/// The pages of one platform that still have pushes to begin, and its share of the connections.
private struct PlatformQueue {
    private var pages: [OutgoingPage] = []
    private var concurrency = Int.max
    private(set) var inFlight = 0
    var pacer = StartPacer()

    /// The page whose turn it is; nil when nothing may begin.
    var ready: OutgoingPage? { inFlight < concurrency ? pages.first : nil }

    mutating func add(_ page: OutgoingPage) {
        concurrency = page.concurrency.map { max($0, 1) } ?? .max
        if page.hasNext { pages.append(page) }
    }

    /// Takes the next push of the first page.
    mutating func take() -> (page: OutgoingPage, index: Int)? {
        guard let page = pages.first else { return nil }
        inFlight += 1
        let index = page.takeNext()
        if !page.hasNext { pages.removeFirst() }
        return (page, index)
    }

    mutating func end() {
        inFlight -= 1
    }

    mutating func remove(_ page: OutgoingPage) {
        pages.removeAll { $0 === page }
    }
}

/// Says when the next request may start, so that a rate is kept to and yet reached.
///
/// Long intervals are kept one by one. For short ones a timer comes too late too often, which would
/// cost throughput: their starts keep to a grid, and a start that is late by up to the slack takes
/// nothing from the next. The grid is a little wider than the interval in return, so that no second
/// has more starts than were asked for (one for its edge apart), even one that begins with a late
/// start. More is never made up for: there is no burst after a pause.
struct StartPacer: Sendable {
    /// The lateness that is made up for.
    static let slack = TimeAmount.milliseconds(10)

    /// Pauses are no shorter than this, so that a high rate does not wake the loop for each start.
    static let grain = TimeAmount.microseconds(500)

    /// The next point of the grid.
    private var next = NIODeadline.uptimeNanoseconds(0)

    /// When the next request may start.
    ///
    /// - Parameter interval: the least time between two starts; nil: at once.
    /// - Returns: the instant, possibly long past.
    func earliest(_ interval: Duration?) -> NIODeadline {
        interval == nil ? .uptimeNanoseconds(0) : next
    }

    /// Takes a start.
    ///
    /// - Parameters:
    ///   - interval: the least time to the start after this one; nil: this one does not count.
    ///   - now: the present.
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
