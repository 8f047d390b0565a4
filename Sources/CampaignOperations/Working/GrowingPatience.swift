/// How long to wait for what does not go away by being asked again, and whether it is news that it lasts.
struct GrowingPatience: Sendable {
    private static let shortest: Duration = .seconds(1)
    private static let longest: Duration = .seconds(60)

    private var wait = shortest
    private var told: String?

    /// How long to wait now; twice as long the next time, up to a minute.
    mutating func next() -> Duration {
        defer { wait = min(wait * 2, Self.longest) }
        return wait
    }

    /// Whether a reason has not been told; it counts as told then.
    mutating func isNews(_ reason: String) -> Bool {
        defer { told = reason }
        return told != reason
    }

    /// Whether anything was told, which is over now.
    mutating func end() -> Bool {
        defer { self = GrowingPatience() }
        return told != nil
    }
}
