package enum Platform: String, CaseIterable, Hashable, Sendable, Codable, CustomStringConvertible {
    case apns
    case fcm
    case wns
    case adm
    case browser

    /// Everything in which platforms differ, except the form of their pushes (``PushBody``).
    package struct Facts: Sendable {
        /// The value of `ServiceBusNotification-Format`.
        package let hubFormat: String
        /// The maximum size of a push's body, in bytes.
        package let limit: Int
        package var contentTypes = (
            visible: "application/json;charset=utf-8", silent: "application/json;charset=utf-8"
        )
        /// How long the push service can keep a message, in seconds.
        package var lives: ClosedRange<Int64> = 0...Int64.max
        package var handle = HandleForm.text
        /// Whether the system itself shows a placeholder, without the app.
        package var showsPlaceholders = false
        /// A sentence for the manual.
        package let summary: String
        package let screen: Screen
        package let room: Room
        /// An old name that campaign files may still use.
        package var oldName: String?
        /// Names that people use for the platform, its devices and their makers, in lower case.
        package let otherNames: [String]
        /// Whether most campaigns use the platform.
        package var isUsual = false
    }

    package enum HandleForm: Sendable {
        case text
        /// An even number of hexadecimal digits.
        case hexadecimal
        /// A ``BrowserSubscription`` in JSON.
        case subscription
    }

    /// The device that a preview draws.
    package enum Screen: Sendable {
        case iPhone, android, tablet, windows, browser
    }

    /// How many characters of a notification the platform's devices show before it is opened.
    ///
    /// Vendors document lines, not characters. The characters were measured by
    /// https://reteno.com/blog/push-notification-character-limits-tips-to-be-visible (phones) and
    /// https://getfirepush.com/help/web-push-notifications/push-character-limits (browsers). A
    /// toast has the lines of ToastText01 and ToastText02
    /// (https://learn.microsoft.com/uwp/api/windows.ui.notifications.toasttemplatetype).
    package struct Room: Sendable {
        package let devices: String
        package let title: Int
        package let message: Int
        package let lines: String
    }

    /// The position among all cases, counted from 0.
    package var number: Int {
        switch self {
        case .apns: 0
        case .fcm: 1
        case .wns: 2
        case .adm: 3
        case .browser: 4
        }
    }

    package var facts: Facts { Self.table[number] }

    private static let table = allCases.map(\.row)

    private var row: Facts {
        switch self {
        case .apns:
            Facts(
                hubFormat: "apple", limit: 4096, handle: .hexadecimal,
                showsPlaceholders: true,
                summary: "Apple Push Notification service: iPhone, iPad and Mac.",
                screen: .iPhone,
                room: Room(devices: "iPhones", title: 50, message: 178, lines: "about 4 lines"),
                otherNames: ["ios", "iphone", "ipad", "ipados", "macos", "apple", "apn"],
                isUsual: true)
        case .fcm:
            Facts(
                hubFormat: "fcmv1", limit: 4096,
                // https://firebase.google.com/docs/cloud-messaging/customize-messages/setting-message-lifespan
                lives: 0...2_419_200,
                summary: "Firebase Cloud Messaging: Android.", screen: .android,
                room: Room(
                    devices: "Android phones", title: 65, message: 240,
                    lines: "about 5 lines when expanded"),
                oldName: "gcm", otherNames: ["android", "google", "firebase"], isUsual: true)
        case .wns:
            Facts(
                hubFormat: "windows", limit: 5000,
                contentTypes: ("application/xml", "application/octet-stream"),
                showsPlaceholders: true, summary: "Windows Push Notification Services.",
                screen: .windows,
                room: Room(devices: "Windows", title: 50, message: 140, lines: "3 lines"),
                otherNames: ["windows", "microsoft"], isUsual: true)
        case .adm:
            Facts(
                hubFormat: "adm", limit: 6144, lives: 60...2_678_400,
                summary: "Amazon Device Messaging: Fire tablets and other Amazon devices.",
                screen: .tablet,
                room: Room(
                    devices: "Fire tablets", title: 65, message: 240,
                    lines: "about 5 lines when expanded"),
                otherNames: ["amazon", "kindle", "fire"])
        case .browser:
            Facts(
                hubFormat: "browser",
                // Push services must accept 4,096 bytes, and encryption adds up to 103 (RFC 8291,
                // section 4).
                limit: 3993, handle: .subscription, summary: "Web push: browsers.",
                screen: .browser,
                room: Room(devices: "browsers", title: 50, message: 120, lines: "2 lines"),
                otherNames: ["web", "webpush", "chrome", "firefox"])
        }
    }

    /// Finds a platform by its name or its old name.
    package init?(spelling: String) {
        guard
            let platform = Self.allCases.first(where: {
                $0.rawValue == spelling || $0.facts.oldName == spelling
            })
        else { return nil }
        self = platform
    }

    /// Finds a platform by any of its other names.
    package init?(called name: String) {
        let name = name.lowercased()
        guard let platform = Self.allCases.first(where: { $0.facts.otherNames.contains(name) })
        else { return nil }
        self = platform
    }

    package static let names = allCases.map(\.rawValue).joined(separator: ", ")
    package static let alternatives =
        allCases.dropLast().map(\.rawValue).joined(separator: ", ")
        + (allCases.last.map { " or \($0)" } ?? "")

    package var description: String { rawValue }
}
