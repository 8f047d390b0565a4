/// A message with something behind it: a picture, an address, a text, or what the app knows.
public struct RichNotification: Hashable, Sendable {
    /// Its id, to mark it as read by.
    public let id: NotificationID
    /// A word that the app decides by: `img`, `url`, `text`, or one of its own.
    public let type: String?
    /// What to show first; nil when the campaign has none.
    public let message: String?
    /// What is behind it.
    public let content: NotificationContent

    /// Makes a notification.
    ///
    /// - Parameters:
    ///   - id: its id.
    ///   - type: the word that the app decides by.
    ///   - message: what to show first.
    ///   - content: what is behind it.
    public init(
        id: NotificationID, type: String?, message: String?, content: NotificationContent
    ) {
        self.id = id
        self.type = type
        self.message = message
        self.content = content
    }
}
