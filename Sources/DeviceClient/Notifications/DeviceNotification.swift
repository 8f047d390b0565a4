/// The notification that a device shows for a push.
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
    /// The text of a visible push; most systems have already shown it.
    case alert(String, extras: NotificationExtras = .none)
    /// No user is signed in to fetch the notification; the text is the push's placeholder or the
    /// generic text.
    case generic(id: NotificationID, text: String)
    /// There is nothing to show.
    case nothing(NothingToShow)
}

/// A message with content: a picture, a URL, text, or a type that the app defines.
public struct RichNotification: Hashable, Sendable {
    /// The id, which is needed to mark the notification as read.
    public let id: NotificationID
    /// The type, which tells the app how to show the content: `img`, `url`, `text`, or a type that
    /// the app defines.
    public let type: String?
    /// The text to show first; nil if the campaign has none.
    public let message: String?
    /// The title, link and additional keys.
    public let extras: NotificationExtras
    /// The content.
    public let content: NotificationContent

    /// Creates a notification.
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

/// The reason why a push shows nothing.
public enum NothingToShow: Hashable, Sendable {
    /// A push with the same id was already shown, or its content is being fetched.
    case shownBefore
    /// The notification expired, was revoked, or is for another user.
    case gone
    /// The push is not for this library; another part of the app may handle it.
    case notOurs
}
