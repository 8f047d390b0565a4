import Foundation

/// What a push service says of a handle that is no good (reference, section 5).
struct FeedbackEntry: Sendable, Hashable, Codable {
    /// When it said so.
    let time: Date
    /// What is wrong.
    let outcome: PushOutcome
    /// The device.
    let device: DeviceAddress
    /// The registration that led there.
    let registrationID: String?
    /// The installation that the registration stands for.
    let installationID: String?
    /// The notification.
    let notificationID: String

    /// The entry as a `PnsFeedback` document on one line.
    var xml: String {
        "<PnsFeedback \(XMLText.serviceNamespaces)>"
            + XMLText.element("FeedbackTime", time.formatted(.iso8601))
            + XMLText.element("NotificationSystemError", outcome.rawValue)
            + XMLText.element("Platform", device.platform.format)
            + XMLText.element("PnsHandle", device.handle)
            + (registrationID.map { XMLText.element("RegistrationId", $0) } ?? "")
            + (installationID.map { XMLText.element("InstallationId", $0) } ?? "")
            + XMLText.element("NotificationId", notificationID) + "</PnsFeedback>"
    }
}
