/// What became of a send at one device, as JSON shows it.
struct DeviceOutcome: Encodable {
    private enum CodingKeys: CodingKey {
        case sequence, outcome, reason, platform, handle, registration, users
    }

    private let message: Message

    /// Describes a message of the send.
    init(_ message: Message) {
        self.message = message
    }

    /// The reason is left out when it arrived.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let push = message.entry.push
        try container.encode(message.entry.sequence, forKey: .sequence)
        try container.encode(push.outcome, forKey: .outcome)
        try container.encodeIfPresent(push.reason, forKey: .reason)
        try container.encode(message.registration.platform, forKey: .platform)
        try container.encode(message.registration.channel.handle, forKey: .handle)
        try container.encode(message.registration.id, forKey: .registration)
        try container.encode(message.users, forKey: .users)
    }
}
