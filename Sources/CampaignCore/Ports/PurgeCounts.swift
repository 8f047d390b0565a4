/// What a purge frees.
package struct PurgeCounts: Hashable, Sendable {
    package var notifications: Int
    /// Bytes of their messages and content, without what encryption adds.
    package var bytes: Int

    package init(notifications: Int = 0, bytes: Int = 0) {
        self.notifications = notifications
        self.bytes = bytes
    }
}
