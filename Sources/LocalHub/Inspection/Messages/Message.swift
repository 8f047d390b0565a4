/// A push at a device, with what tells people which device it is.
struct Message: Sendable {
    /// The device.
    let device: DeviceAddress
    /// The registration that leads to the device; of several the one that was looked for, or the first; nil: nobody
    /// has registered it, as with a handle that only a direct send names.
    let registration: Registration?
    /// The users that the device belongs to, by all its registrations.
    let users: [String]
    /// The push.
    let entry: Mailbox.Entry

    /// What the push service knows the device by, as it was registered.
    var handle: String { registration?.channel.handle ?? device.handle }
}

extension Message {
    /// A push at a device whose registrations are known.
    init(_ entry: Mailbox.Entry, at device: DeviceAddress, of registrations: [Registration]) {
        self.init(
            device: device, registration: registrations.first,
            users: UserNames.names(of: registrations), entry: entry)
    }
}

extension HubState {
    /// The message of a number; nil when it is not kept.
    func message(_ sequence: Int) -> Message? {
        guard let place = devices.place(of: sequence), let device = devices.device(at: place),
            let entry = devices.entry(sequence, at: place)
        else { return nil }
        return Message(entry, at: device, of: registrations.registrations(of: device))
    }
}
