/// Counts what is looked at under the hub's lock, so that no send has to wait for long.
struct LookBudget: Sendable {
    /// The most messages, devices and registrations looked at at a time, but for what one device has.
    static let slice = 2_000

    /// How many have been looked at.
    private(set) var total = 0
    /// How many at a time at most.
    private(set) var largestSlice = 0
    private var current = 0

    /// Whether it is time to let others have the lock.
    var isSpent: Bool { current >= Self.slice }

    /// Begins to look, after others could have the lock.
    mutating func begin() {
        current = 0
    }

    /// Counts what is looked at.
    mutating func spend(_ count: Int = 1) {
        total += count
        current += count
        largestSlice = max(largestSlice, current)
    }
}
