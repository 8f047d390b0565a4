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
