/// The push service of a device.
public enum DevicePlatform: String, CaseIterable, Hashable, Sendable, Codable {
    /// Apple Push Notification service.
    case apns
    /// Firebase Cloud Messaging.
    case fcm
    /// Windows Push Notification Services.
    case wns
}
