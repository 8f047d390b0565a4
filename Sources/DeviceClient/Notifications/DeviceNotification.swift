/// What became of a push: what a device is to show.
///
/// ```swift
/// switch try await client.handle(DevicePush(userInfo: userInfo)) {
/// case .secure(let id, let text, let extras): show(extras.title, text, id)
/// case .rich(let rich): show(rich.extras.title, rich.message ?? "News", rich.id, category: "richPush")
/// case .alert(let text, let extras): show(extras.title, text)
/// case .generic(let id, let text): show(nil, text, id)
/// case .nothing: break
/// }
/// ```
public enum DeviceNotification: Hashable, Sendable {
    /// The text of a secure push.
    case secure(id: NotificationID, text: String, extras: NotificationExtras = .none)
    /// The message and content of a rich push.
    case rich(RichNotification)
    /// The text that a visible push brought along; most systems have shown it themselves.
    case alert(String, extras: NotificationExtras = .none)
    /// There is something, and nobody is signed in to fetch it: the push's placeholder, else a text that asks to open the app.
    case generic(id: NotificationID, text: String)
    /// There is nothing to show.
    case nothing(NothingToShow)
}

/// A message with something behind it: a picture, an address, a text, or what the app knows.
public struct RichNotification: Hashable, Sendable {
    /// Its id, to mark it as read by.
    public let id: NotificationID
    /// A word that the app decides by: `img`, `url`, `text`, or one of its own.
    public let type: String?
    /// What to show first; nil when the campaign has none.
    public let message: String?
    /// Title, link and further keys.
    public let extras: NotificationExtras
    /// What is behind it.
    public let content: NotificationContent

    /// Makes a notification.
    ///
    /// - Parameters:
    ///   - id: its id.
    ///   - type: the word that the app decides by.
    ///   - message: what to show first.
    ///   - extras: title, link and further keys.
    ///   - content: what is behind it.
    public init(
        id: NotificationID, type: String?, message: String?, extras: NotificationExtras = .none,
        content: NotificationContent
    ) {
        self.id = id
        self.type = type
        self.message = message
        self.extras = extras
        self.content = content
    }
}

/// Why a push shows nothing.
public enum NothingToShow: Hashable, Sendable {
    /// A push with the same id came before, and was shown or is being fetched.
    case shownBefore
    /// It expired, was taken back, or is not this user's.
    case gone
    /// The push names nothing that this library knows; another part of the app may know it.
    case notOurs
}
