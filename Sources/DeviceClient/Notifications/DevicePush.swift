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
public struct DevicePush: Hashable, Sendable {
    /// What a push is for.
    public enum Purpose: Hashable, Sendable {
        /// Only the id of what is to be fetched.
        case secure(NotificationID)
        /// The id, and beside it the type, and the message unless that is private.
        case rich(NotificationID, type: String?, message: String?)
        /// A visible text, and nothing to be fetched.
        case alert(String)
        /// Something else.
        case notOurs
    }

    /// What it is for.
    public let purpose: Purpose
    /// Title, link and further keys, as far as the push holds them; a secure one never does.
    public let extras: NotificationExtras
    /// The text that stands for what is to be fetched, until it is there; nil: the push shows nothing by itself.
    public let placeholder: String?
    /// Whether the app has its turn before somebody sees the placeholder, and can put the fetched text in its place.
    ///
    /// On Apple's devices that is a notification service extension, which runs only for alerts with `mutable-content`. Of
    /// FCM, ADM and browsers the app shows the placeholder itself. Windows shows a toast at once.
    public let canReplacePlaceholder: Bool

    /// Takes a push apart.
    init(
        _ purpose: Purpose, extras: NotificationExtras = .none, placeholder: String? = nil,
        canReplacePlaceholder: Bool = true
    ) {
        self.purpose = purpose
        self.extras = extras
        self.placeholder = placeholder
        self.canReplacePlaceholder = placeholder != nil && canReplacePlaceholder
    }

    /// A push that holds only an id.
    ///
    /// - Parameters:
    ///   - id: what is to be fetched.
    ///   - placeholder: what shows until then, and can be replaced; nil: nothing.
    /// - Returns: the push.
    public static func secure(_ id: NotificationID, placeholder: String? = nil) -> DevicePush {
        DevicePush(.secure(id), placeholder: placeholder)
    }

    /// A push that says what is behind its id.
    ///
    /// - Parameters:
    ///   - id: what is to be fetched.
    ///   - type: the word that the app decides by.
    ///   - message: what to show first; nil where it is private or there is none.
    ///   - extras: title, link and further keys.
    ///   - placeholder: what shows until then, and can be replaced; nil: nothing.
    /// - Returns: the push.
    public static func rich(
        _ id: NotificationID, type: String?, message: String?, extras: NotificationExtras = .none,
        placeholder: String? = nil
    ) -> DevicePush {
        DevicePush(
            .rich(id, type: type, message: message), extras: extras, placeholder: placeholder)
    }

    /// A push with a visible text, and nothing to be fetched.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - extras: title, link and further keys.
    /// - Returns: the push.
    public static func alert(_ text: String, extras: NotificationExtras = .none) -> DevicePush {
        DevicePush(.alert(text), extras: extras)
    }

    /// A push of something else.
    public static let notOurs = DevicePush(.notOurs)

    /// The notification that it names; nil when it names none.
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
    /// Web Push: the handle is the subscription in JSON, as `JSON.stringify(subscription)` writes it.
    case browser
}
