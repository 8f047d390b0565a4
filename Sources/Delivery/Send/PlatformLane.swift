import CampaignCore

/// What one platform has left to send.
struct PlatformLane: Sendable {
    /// Where pushes come from that are not in the retry queue.
    enum Source: Hashable, Sendable {
        /// Deliveries that an earlier process left waiting, beyond this number.
        case waiting(after: Int)
        /// Deliveries that were never tried.
        case fresh
        /// Nowhere: all were tried.
        case dry
    }

    /// The next page.
    enum Page: Hashable, Sendable {
        case again([Attempt])
        case fresh(limit: Int)
    }

    let platform: Platform
    /// Pushes that may wait in memory before no new ones are begun.
    let capacity: Int
    var source = Source.waiting(after: 0)
    var retries = RetryQueue<Attempt>()
    private var hadRetries = false

    init(platform: Platform, capacity: Int) {
        self.platform = platform
        self.capacity = capacity
    }

    var hasRoom: Bool { retries.count < capacity }

    /// Whether the next page is due to this lane still, since a page of retries shares a turn with one of fresh pushes.
    var keepsTurn: Bool { hadRetries && source == .fresh && hasRoom }

    /// The number after which to read on what an earlier process left; nil when there is no need to now.
    ///
    /// Nothing is claimed freshly before all of it is read, so that no push that this process lets wait is read again.
    func scanStart(at now: Duration) -> Int? {
        guard case .waiting(let number) = source, hasRoom,
            retries.firstDue.map({ $0 > now }) ?? true
        else { return nil }
        return number
    }

    /// Takes the next page, nil when none is due; retries and fresh pushes take turns.
    mutating func nextPage(at now: Duration, size: Int) -> Page? {
        let mayBeFresh = source == .fresh && hasRoom
        if !(hadRetries && mayBeFresh) {
            let due = retries.takeDue(at: now, limit: size)
            if !due.isEmpty {
                hadRetries = true
                return .again(due)
            }
        }
        hadRetries = false
        return mayBeFresh ? .fresh(limit: size) : nil
    }
}
