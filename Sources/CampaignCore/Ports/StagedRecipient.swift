/// One recipient on the way into the store.
package struct StagedRecipient: Hashable, Sendable {
    package var username: Username
    /// Their own notification when the payload has variables; nil: the run's shared one.
    package var notification: NewNotification?
    /// Platforms of the run on which they get no push, which is ``SkipReason/notAskedFor`` from the start.
    package var withheld: Set<Platform>

    package init(
        username: Username, notification: NewNotification? = nil, withheld: Set<Platform> = []
    ) {
        self.username = username
        self.notification = notification
        self.withheld = withheld
    }
}
