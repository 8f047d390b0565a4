/// A device in a list, as JSON shows it.
struct DeviceSummary: Encodable {
    private enum CodingKeys: CodingKey {
        case registration, installation, platform, handle, tags, users, count, newest
    }

    private let registration: Registration
    private let users: [String]
    private let count: Int
    private let newest: Int?

    /// Describes a device.
    ///
    /// - Parameters:
    ///   - registrations: those that lead to it, at least one.
    ///   - mailbox: what it received.
    init?(_ registrations: [Registration], _ mailbox: Mailbox) {
        guard let first = registrations.first else { return nil }
        registration = first
        users = UserNames.names(of: registrations)
        count = mailbox.count
        newest = mailbox.newest
    }

    /// The newest message is null when none is kept.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(registration.id, forKey: .registration)
        try container.encodeIfPresent(registration.installationID, forKey: .installation)
        try container.encode(registration.platform, forKey: .platform)
        try container.encode(registration.channel.handle, forKey: .handle)
        try container.encode(registration.tags.sorted(), forKey: .tags)
        try container.encode(users, forKey: .users)
        try container.encode(count, forKey: .count)
        try container.encode(newest, forKey: .newest)
    }
}
