import Foundation

/// A push at a device, with what tells people which device it is.
struct Message: Sendable {
    /// The registration that leads to the device; of several the one that was looked for, or the first.
    let registration: Registration
    /// The users that the device belongs to, by all its registrations.
    let users: [String]
    /// The push.
    let entry: Mailbox.Entry
}

extension HubState {
    /// The message of a number; nil when it is not kept.
    func message(_ sequence: Int) -> Message? {
        guard let place = devices.place(of: sequence), let device = devices.device(at: place),
            let entry = devices.entry(sequence, at: place)
        else { return nil }
        let registrations = registrations(showing: device)
        return registrations.first.map {
            Message(
                registration: $0, users: UserNames.names(of: registrations), entry: entry)
        }
    }
}

/// A push at a device, as JSON shows it.
struct MessageReport: Encodable {
    private enum CodingKeys: CodingKey {
        case registration, installation, platform, handle, tags, users, appearance
    }

    private let message: Message

    /// Describes a message.
    init(_ message: Message) {
        self.message = message
    }

    /// The members of the push, and beside them those that name the device, and what its owner sees.
    func encode(to encoder: any Encoder) throws {
        try PushReport(message.entry).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        let registration = message.registration
        try container.encode(registration.id, forKey: .registration)
        try container.encodeIfPresent(registration.installationID, forKey: .installation)
        try container.encode(registration.platform, forKey: .platform)
        try container.encode(registration.channel.handle, forKey: .handle)
        try container.encode(registration.tags.sorted(), forKey: .tags)
        try container.encode(message.users, forKey: .users)
        try container.encode(MessageAppearance(of: message.entry.push), forKey: .appearance)
    }
}

/// A message with the request that brought it, as JSON shows it.
struct MessageDetails: Encodable {
    private enum CodingKeys: CodingKey {
        case request
    }

    /// The message.
    let message: Message
    /// What the hub knows of the send; nil: nothing any more.
    let notification: NotificationRecord?

    /// The members of the message, and the request, which is null when it is no longer known.
    func encode(to encoder: any Encoder) throws {
        try MessageReport(message).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(notification.flatMap(RequestReport.init), forKey: .request)
    }
}

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
