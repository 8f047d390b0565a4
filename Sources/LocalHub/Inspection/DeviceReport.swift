import Foundation

/// What one device received, as JSON shows it.
struct DeviceReport: Encodable {
    /// One push; the newest come first.
    struct Push: Encodable {
        let notification: String
        let time: Date
        let outcome: PushOutcome
        /// Why it did not reach the device; left out when it did.
        let reason: String?
        let headers: [String: String]
        /// The payload as text, when it is UTF-8.
        let body: String?
        /// The payload in base64, when it is not UTF-8.
        let bodyBase64: Data?

        private enum CodingKeys: String, CodingKey {
            case notification, time, outcome, reason, headers, body
            case bodyBase64 = "body_base64"
        }
    }

    /// The most pushes shown for a device.
    static let mostPushes = 100

    let registration: String
    let installation: String?
    let platform: LocalHubPlatform
    let handle: String
    let tags: [String]
    /// All pushes that came in, also those no longer kept.
    let count: Int
    let pushes: [Push]

    /// Describes a device.
    init(_ registration: Registration, _ mailbox: Mailbox) {
        self.registration = registration.id
        installation = registration.installationID
        platform = registration.platform
        handle = registration.channel.handle
        tags = registration.tags.sorted()
        count = mailbox.count
        pushes = mailbox.entries.suffix(Self.mostPushes).reversed().map { entry in
            let push = entry.push
            let text = String(validating: push.body, as: UTF8.self)
            return Push(
                notification: push.notificationID, time: push.time, outcome: push.outcome,
                reason: push.reason, headers: push.headers, body: text,
                bodyBase64: text == nil ? Data(push.body) : nil)
        }
    }
}
