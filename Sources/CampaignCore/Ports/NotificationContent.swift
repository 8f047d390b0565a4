/// What a device fetches.
package enum NotificationContent: Hashable, Sendable {
    /// Nothing (alert).
    case none
    /// A text of this notification's own; an address when it is `text/uri-list`.
    case text(String, mediaType: String)
    /// The run's file, stored once however many notifications share it.
    case file(PayloadFile)
}
