import CampaignCore
import NIOCore

/// The pages of one platform that still have pushes to begin, and its share of the connections.
struct PlatformQueue {
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
