/// The latest values for many keys, which expire after some time.
///
/// Memory use is bounded. When space runs out, the older half is dropped in one step. All
/// insertions take about the same time, which matters because callers share a lock.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let end: ContinuousClock.Instant
    }

    private let lifetime: Duration
    private let limit: Int
    private var newer: [Key: Entry] = [:]
    private var older: [Key: Entry] = [:]

    /// - Parameter limit: the maximum number of values; at least the newer half is kept.
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
