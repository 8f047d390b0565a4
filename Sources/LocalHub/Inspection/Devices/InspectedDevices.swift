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
