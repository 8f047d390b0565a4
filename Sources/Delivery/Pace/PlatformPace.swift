/// How fast one platform may be sent to for the time of a page.
struct PlatformPace: Hashable, Sendable {
    /// The least time between two requests; nil: no more than the run's own.
    var interval: Duration?
    /// Requests in flight at once, at least 1.
    var concurrency: Int
}
