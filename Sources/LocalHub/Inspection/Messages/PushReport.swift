import Foundation

/// A push as JSON shows it.
struct PushReport: Encodable {
    /// Its number among all pushes of the hub, from 1.
    let sequence: Int
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
        case sequence, notification, time, outcome, reason, headers, body
        case bodyBase64 = "body_base64"
    }

    /// Describes a push.
    init(_ entry: Mailbox.Entry) {
        let push = entry.push
        sequence = entry.sequence
        notification = push.notificationID
        time = push.time
        outcome = push.outcome
        reason = push.reason
        headers = push.headers
        body = String(validating: push.body, as: UTF8.self)
        bodyBase64 = body == nil ? Data(push.body) : nil
    }
}
