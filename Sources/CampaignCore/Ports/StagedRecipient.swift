/// One recipient on the way into the store.
package struct StagedRecipient: Hashable, Sendable {
    package var username: Username
    /// Their own notification when the payload has variables; nil: the run's shared one.
    package var notification: NewNotification?

    package init(username: Username, notification: NewNotification? = nil) {
        self.username = username
        self.notification = notification
    }
}
