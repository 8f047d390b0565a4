/// A device in a list, as JSON shows it.
struct DeviceSummary: Encodable {
    private enum CodingKeys: CodingKey {
        case registration, installation, platform, handle, tags, users, count, newest
    }

    private let device: DeviceAddress
    private let registration: Registration?
    private let users: [String]
    private let count: Int
    private let newest: Int?

    /// Describes a device.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - registrations: those that lead to it; none when nobody has registered it.
    ///   - mailbox: what it received.
    init(_ device: DeviceAddress, _ registrations: [Registration], _ mailbox: Mailbox) {
        self.device = device
        registration = registrations.first
        users = UserNames.names(of: registrations)
        count = mailbox.count
        newest = mailbox.newest
    }

    /// The newest message is null when none is kept, the registration when nobody has registered the device.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(registration?.id, forKey: .registration)
        try container.encodeIfPresent(registration?.installationID, forKey: .installation)
        try container.encode(device.platform, forKey: .platform)
        try container.encode(registration?.channel.handle ?? device.handle, forKey: .handle)
        try container.encode((registration?.tags ?? []).sorted(), forKey: .tags)
        try container.encode(users, forKey: .users)
        try container.encode(count, forKey: .count)
        try container.encode(newest, forKey: .newest)
    }
}
