/// Which of a hub's devices somebody looks at.
enum InspectedDevices: Sendable, Hashable {
    /// The devices with the tag `username:<user>` or this user id.
    case user(String)
    /// The device of an installation, and those of its secondary tiles.
    case installation(String)
    /// The device of a registration.
    case registration(String)

    /// Finds the devices of a path below `/.hubsend`.
    ///
    /// - Parameters:
    ///   - kind: the second segment: `devices`, `installations` or `registrations`, in any case.
    ///   - name: the third segment: a user's name or an id.
    init?(kind: String, name: String) {
        switch kind.lowercased() {
        case "devices": self = .user(name)
        case "installations": self = .installation(name)
        case "registrations": self = .registration(name)
        default: return nil
        }
    }

    /// Whether a registration leads to one of the devices.
    func include(_ registration: Registration) -> Bool {
        switch self {
        case .user(let user):
            registration.tags.contains(LocalHubDevice.tag(ofUser: user))
                || registration.tags.contains(TagTerm.user(user).text)
        case .installation(let id): registration.installationID == id
        case .registration(let id): registration.id == id
        }
    }
}

extension HubState {
    /// Devices with their mailboxes, in the order of their registrations.
    ///
    /// - Parameter inspected: which devices.
    /// - Returns: each device once: its first registration, and its mailbox.
    func devices(
        _ inspected: InspectedDevices
    ) -> [(registration: Registration, mailbox: Mailbox)] {
        var seen: Set<DeviceAddress> = []
        return registrations(of: inspected).compactMap { registration in
            guard seen.insert(registration.device).inserted else { return nil }
            return devices[registration.device].map { (registration, $0) }
        }
    }

    /// The oldest pushes that devices still keep behind a number, over all of them.
    ///
    /// - Parameters:
    ///   - inspected: which devices.
    ///   - sequence: the number of the last push that is already known; 0: none is.
    ///   - limit: the most pushes.
    /// - Returns: the pushes in the order of their numbers.
    func pushes(
        to inspected: InspectedDevices, after sequence: Int, limit: Int
    ) -> [PushEvent] {
        var found: [PushEvent] = []
        var range = sequence + 1..<max(sequence, devices.newestSequence) + 1
        for (registration, mailbox) in devices(inspected) {
            let new = mailbox.entries(in: range, limit: limit, newestFirst: false)
            guard !new.isEmpty else { continue }
            found += new.map { PushEvent(registration: registration, entry: $0) }
            found.sort { $0.entry.sequence < $1.entry.sequence }
            guard found.count >= limit else { continue }
            found.removeLast(found.count - limit)
            // Only what comes before the last one found is still of interest.
            if let last = found.last { range = range.lowerBound..<last.entry.sequence }
        }
        return found
    }

    /// The number to go on from, for somebody who knows the pushes up to one.
    ///
    /// Pushes are counted anew when the hub starts: a number that it has not reached is from before, and all
    /// that is kept is new.
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
