import CampaignCore

/// The push service for which a native notification is written.
public enum NotificationFormat: String, Sendable, Hashable, CaseIterable {
    /// Apple Push Notification service.
    case apple
    /// Firebase Cloud Messaging, HTTP v1.
    case fcmV1 = "fcmv1"
    /// Windows Push Notification Services.
    case windows
    /// Legacy Google Cloud Messaging, which Google has shut down.
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

    /// The default content type: XML for the two Windows services, JSON for all others.
    public var defaultContentType: String { facts.contentType }
}

extension NotificationFormat {
    /// The names that hubs use for a push service and its devices.
    struct Facts: Sendable {
        var contentType = "application/json"
        /// The name in installations; telemetry uses it in lower case.
        let installation: String
        /// The prefix of the element names in a registration.
        let element: String
        /// The elements of a registration that contain the parts of a handle, in order.
        let handles: [String]
        /// The element that lists the headers of a template, and the name of its items.
        var headers: (list: String, item: String)?
        /// The platform whose queue in the lane is used for messages to this push service.
        let queue: Platform
    }

    private static let table = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, $0.written) })
    private static let elements = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { format in
            [false, true].map { (format.element(isTemplate: $0), (format, $0)) }
        })

    var facts: Facts { Self.table[self] ?? written }

    private var written: Facts {
        switch self {
        case .apple:
            Facts(
                installation: "apns", element: "Apple", handles: ["DeviceToken"],
                headers: ("ApnsHeaders", "ApnsHeader"), queue: .apns)
        case .fcmV1:
            Facts(
                installation: "fcmV1", element: "FcmV1", handles: ["FcmV1RegistrationId"],
                queue: .fcm)
        case .gcm:
            Facts(
                installation: "gcm", element: "Gcm", handles: ["GcmRegistrationId"], queue: .fcm)
        case .windows:
            Facts(
                contentType: "application/xml", installation: "wns", element: "Windows",
                handles: ["ChannelUri"], headers: ("WnsHeaders", "WnsHeader"), queue: .wns)
        case .windowsPhone:
            Facts(
                contentType: "application/xml", installation: "mpns", element: "Mpns",
                handles: ["ChannelUri"], headers: ("MpnsHeaders", "MpnsHeader"), queue: .wns)
        case .adm:
            Facts(
                installation: "adm", element: "Adm", handles: ["AdmRegistrationId"], queue: .adm)
        case .baidu:
            Facts(
                installation: "baidu", element: "Baidu",
                handles: ["BaiduUserId", "BaiduChannelId"], queue: .fcm)
        case .browser:
            Facts(
                installation: "browser", element: "Browser",
                handles: ["Endpoint", "P256DH", "Auth"], queue: .browser)
        case .xiaomi:
            Facts(
                installation: "xiaomi", element: "Xiaomi", handles: ["XiaomiRegistrationId"],
                queue: .fcm)
        }
    }

    /// Finds the format with a name in installations, case-insensitively.
    init?(installation name: String) {
        let name = name.lowercased()
        let format = Self.allCases.first { $0.facts.installation.lowercased() == name }
        guard let format else { return nil }
        self = format
    }

    private static let suffix = "RegistrationDescription"

    /// The element of a registration, such as `AppleTemplateRegistrationDescription`.
    func element(isTemplate: Bool) -> String {
        facts.element + (isTemplate ? "Template" : "") + Self.suffix
    }

    /// Reads the name of an element; nil if it is unknown.
    static func named(_ element: String) -> (format: NotificationFormat, isTemplate: Bool)? {
        elements[element]
    }
}
