/// The content of a push, from any push service.
///
/// ```swift
/// // iOS: application(_:didReceiveRemoteNotification:fetchCompletionHandler:)
/// let push = DevicePush(userInfo: userInfo)
/// // Windows, or any platform that passes the body unchanged
/// let push = DevicePush(body: data, platform: .wns)
/// ```
///
/// Anyone who has a handle can send pushes, so nothing in a push is trusted. An unreadable body
/// becomes ``notOurs``; it is never an error.
public struct DevicePush: Hashable, Sendable {
    /// The kind of push.
    public enum Purpose: Hashable, Sendable {
        /// Only the id of the notification to fetch.
        case secure(NotificationID)
        /// The id, the type and, unless it is private, the message.
        case rich(NotificationID, type: String?, message: String?)
        /// Visible text; there is nothing to fetch.
        case alert(String)
        /// A push that is not from hubsend.
        case notOurs
    }

    /// The kind.
    public let purpose: Purpose
    /// The title, link and additional keys in the push; a secure push has none.
    public let extras: NotificationExtras
    /// The text that is shown until the notification has been fetched; nil if the push shows
    /// nothing by itself.
    public let placeholder: String?
    /// Whether the app can replace the placeholder before the user sees it.
    ///
    /// On Apple devices, this requires a notification service extension, which runs only for alerts
    /// with `mutable-content`. With FCM, ADM and browsers, the app itself shows the placeholder.
    /// Windows shows toasts immediately, so they cannot be replaced.
    public let canReplacePlaceholder: Bool

    init(
        _ purpose: Purpose, extras: NotificationExtras = .none, placeholder: String? = nil,
        canReplacePlaceholder: Bool = true
    ) {
        self.purpose = purpose
        self.extras = extras
        self.placeholder = placeholder
        self.canReplacePlaceholder = placeholder != nil && canReplacePlaceholder
    }

    /// Creates a push that has only an id; the placeholder, if any, can be replaced.
    public static func secure(_ id: NotificationID, placeholder: String? = nil) -> DevicePush {
        DevicePush(.secure(id), placeholder: placeholder)
    }

    /// Creates a push with an id and a description; the placeholder, if any, can be replaced.
    ///
    /// - Parameter message: the message; nil if it is private or missing.
    public static func rich(
        _ id: NotificationID, type: String?, message: String?, extras: NotificationExtras = .none,
        placeholder: String? = nil
    ) -> DevicePush {
        DevicePush(
            .rich(id, type: type, message: message), extras: extras, placeholder: placeholder)
    }

    /// Creates a push with visible text; there is nothing to fetch.
    public static func alert(_ text: String, extras: NotificationExtras = .none) -> DevicePush {
        DevicePush(.alert(text), extras: extras)
    }

    /// A push that is not from hubsend.
    public static let notOurs = DevicePush(.notOurs)

    /// The id of the notification, if the push has one.
    public var id: NotificationID? {
        switch purpose {
        case .secure(let id), .rich(let id, _, _): id
        case .alert, .notOurs: nil
        }
    }
}

/// The push service of a device.
public enum DevicePlatform: String, CaseIterable, Hashable, Sendable, Codable {
    /// Apple Push Notification service.
    case apns
    /// Firebase Cloud Messaging.
    case fcm
    /// Windows Push Notification Services.
    case wns
    /// Amazon Device Messaging.
    case adm
    /// Web Push; the handle is the output of `JSON.stringify(subscription)`.
    case browser
}
