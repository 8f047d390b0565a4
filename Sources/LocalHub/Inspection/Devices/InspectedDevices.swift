enum InspectedDevices: Sendable, Hashable {
    /// The devices with the tag `username:<user>` or this user id.
    case user(String)
    /// The device of an installation, and the devices of its secondary tiles.
    case installation(String)
    case registration(String)

    /// Reads the second and third segments of a path: `devices`, `installations` or
    /// `registrations`, and a name or id.
    init?(kind: String, name: String) {
        switch kind.lowercased() {
        case "devices": self = .user(name)
        case "installations": self = .installation(name)
        case "registrations": self = .registration(name)
        default: return nil
        }
    }

    func include(_ registration: Registration) -> Bool {
        switch self {
        case .user(let user):
            registration.tags.contains { UserNames.name(inTag: $0).map { $0 == user } ?? false }
        case .installation(let id): registration.installationID == id
        case .registration(let id): registration.id == id
        }
    }
}

extension HubState {
    func devices(
        _ inspected: InspectedDevices
    ) -> [(registration: Registration, device: KnownDevice)] {
        var seen: Set<DeviceAddress> = []
        return registrations(of: inspected).compactMap { registration in
            guard seen.insert(registration.device).inserted else { return nil }
            return devices[registration.device].map { (registration, $0) }
        }
    }

    func addresses(of inspected: InspectedDevices) -> Set<DeviceAddress> {
        Set(registrations(of: inspected).map(\.device))
    }

    /// Returns the oldest pushes to some devices after a sequence number, in order.
    func pushes(
        to inspected: InspectedDevices, after sequence: Int = 0, limit: Int = .max
    ) -> [PushEvent] {
        devices(inspected).flatMap { registration, device in
            device.kept.filter { $0 > sequence }.map { (sequence: $0, registration: registration) }
        }
        .sorted { $0.sequence < $1.sequence }.prefix(limit)
        .compactMap { found in
            devices.push(found.sequence).map {
                PushEvent(registration: found.registration, kept: $0)
            }
        }
    }

    /// The sequence number after which to continue; 0 if the hub has not reached that number yet,
    /// because it dates from before a restart.
    func start(after sequence: Int) -> Int {
        sequence > devices.newestSequence ? 0 : sequence
    }

    private func registrations(of inspected: InspectedDevices) -> [Registration] {
        switch inspected {
        case .user(let user):
            registrations.registrations(carrying: LocalHubDevice.tag(ofUser: user))
                + registrations.registrations(carrying: TagTerm.user(user).text)
        case .installation(let id): registrations.registrations(ofInstallation: id)
        case .registration(let id): registration(shownAs: id).map { [$0] } ?? []
        }
    }
}
