/// A push service that campaigns can be sent through.
package enum Platform: String, CaseIterable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// Apple Push Notification service.
    case apns
    /// Firebase Cloud Messaging, HTTP v1.
    case fcm
    /// Windows Push Notification Services.
    case wns

    /// The value of `ServiceBusNotification-Format` (hub reference, section 3.4).
    package var hubFormat: String {
        switch self {
        case .apns: "apple"
        case .fcm: "fcmv1"
        case .wns: "windows"
        }
    }

    package var description: String { rawValue }
}
