/// A part of what a user was sent, the newest first.
public struct NotificationPage: Sendable {
    /// The notifications.
    public let notifications: [NotificationMetadata]
    /// What to ask for the next page with; nil: this is the last one.
    public let next: NotificationID?

    /// Takes a page as it came.
    ///
    /// - Parameters:
    ///   - notifications: what is on it.
    ///   - link: the header that tells of another page (RFC 8288); nil: there is none.
    init(_ notifications: [NotificationMetadata], link: String?) {
        self.notifications = notifications
        next = link?.contains("rel=\"next\"") == true ? notifications.last?.id : nil
    }
}
