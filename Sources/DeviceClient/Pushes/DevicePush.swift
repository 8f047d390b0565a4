/// What a push says, whichever push service brought it.
///
/// ```swift
/// // iOS: application(_:didReceiveRemoteNotification:fetchCompletionHandler:)
/// let push = DevicePush(userInfo: userInfo)
/// // Windows, or wherever the body comes as it was sent
/// let push = DevicePush(body: data, platform: .wns)
/// ```
///
/// Anybody who gets hold of a handle can send pushes: nothing in one is trusted, and a body that makes no sense is
/// ``notOurs``, never an error.
public enum DevicePush: Hashable, Sendable {
    /// Only the id of what is to be fetched.
    case secure(NotificationID)
    /// The id, and beside it the type, and the message unless that is private.
    case rich(NotificationID, type: String?, message: String?)
    /// A visible text, and nothing to be fetched.
    case alert(String)
    /// Something else.
    case notOurs

    /// The most bytes of a body, and of a text in one; no push service takes as many.
    static let longest = 16_384
}
