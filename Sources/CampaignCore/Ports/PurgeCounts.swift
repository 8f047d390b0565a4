/// What a purge frees.
package struct PurgeCounts: Hashable, Sendable {
    package var notifications: Int
    /// Bytes of content, as they were stored.
    package var bytes: Int

    package init(notifications: Int = 0, bytes: Int = 0) {
        self.notifications = notifications
        self.bytes = bytes
    }
}
