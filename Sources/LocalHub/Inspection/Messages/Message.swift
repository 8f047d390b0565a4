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
