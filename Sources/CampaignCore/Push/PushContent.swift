/// What one push says: the values that go into a ``PushBody``.
package struct PushContent: Hashable, Sendable {
    package var notification: NotificationID
    /// `richType`; rich only.
    package var type: String?
    /// nil where it is private (rich) or there is none (secure).
    package var message: String?

    package init(notification: NotificationID, type: String? = nil, message: String? = nil) {
        self.notification = notification
        self.type = type
        self.message = message
    }
}
