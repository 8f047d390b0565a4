/// The latest values of many keys, each for a while.
///
/// Memory is bounded. Without room the older half is dropped as a whole, so that keeping a value
/// costs about the same each time: callers share a lock.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let end: ContinuousClock.Instant
    }

    private let lifetime: Duration
    private let limit: Int
    private var newer: [Key: Entry] = [:]
    private var older: [Key: Entry] = [:]

    /// - Parameter limit: the most values; at least the latest half of them is kept.
    init(lifetime: Duration, limit: Int) {
        self.lifetime = lifetime
        self.limit = limit
    }

    var count: Int { newer.count + older.count }

    func value(of key: Key, now: ContinuousClock.Instant) -> Value? {
        guard let entry = newer[key] ?? older[key], now < entry.end else { return nil }
        return entry.value
    }

    mutating func keep(_ value: Value, of key: Key, now: ContinuousClock.Instant) {
        if newer.count >= limit / 2 {
            swap(&newer, &older)
            newer.removeAll(keepingCapacity: true)
        }
        newer[key] = Entry(value: value, end: now + lifetime)
    }
}
