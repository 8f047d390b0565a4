/// The push service that a native notification is written for (reference: section 3.4).
public enum NotificationFormat: String, Sendable, Hashable, CaseIterable {
    /// Apple Push Notification service.
    case apple
    /// Firebase Cloud Messaging, HTTP v1.
    case fcmV1 = "fcmv1"
    /// Windows Push Notification Services.
    case windows
    /// Legacy Google Cloud Messaging; Google has switched it off.
    case gcm
    /// Amazon Device Messaging.
    case adm
    /// Baidu cloud push.
    case baidu
    /// Web push.
    case browser
    /// Xiaomi push.
    case xiaomi
    /// Microsoft Push Notification Service for Windows Phone.
    case windowsPhone = "windowsphone"

    /// The media type of a body when nothing else is said: XML for the two Windows services, JSON
    /// otherwise.
    public var defaultContentType: String {
        switch self {
        case .windows, .windowsPhone: "application/xml"
        case .apple, .fcmV1, .gcm, .adm, .baidu, .browser, .xiaomi: "application/json"
        }
    }
}
