/// What became of a push: what a device is to show.
///
/// ```swift
/// switch try await client.handle(DevicePush(userInfo: userInfo)) {
/// case .secure(let id, let text): show(text, id)
/// case .rich(let rich): show(rich.message ?? "News", rich.id, category: "richPush")
/// case .alert(let text): show(text)
/// case .generic(let id, let text): show(text, id)
/// case .nothing: break
/// }
/// ```
public enum DeviceNotification: Hashable, Sendable {
    /// The text of a secure push.
    case secure(id: NotificationID, text: String)
    /// The message and content of a rich push.
    case rich(RichNotification)
    /// The text that a visible push brought along; most systems have shown it themselves.
    case alert(String)
    /// There is something, and nobody is signed in to fetch it: a text that asks to open the app.
    case generic(id: NotificationID, text: String)
    /// There is nothing to show.
    case nothing(NothingToShow)
}
