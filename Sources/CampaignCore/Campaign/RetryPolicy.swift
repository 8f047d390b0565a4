/// How often and how long one push is tried.
package struct RetryPolicy: Hashable, Sendable, Codable {
    /// Tries of one push, the first included, 1 to 100.
    package var attempts: Int
    /// From the end of a push's first try to the start of its last.
    package var duration: Duration

    package init(attempts: Int = 5, duration: Duration = .seconds(15 * 60)) {
        self.attempts = attempts
        self.duration = duration
    }
}
