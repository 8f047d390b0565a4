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
