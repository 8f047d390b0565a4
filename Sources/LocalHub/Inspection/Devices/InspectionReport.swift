/// What the devices received that somebody looks at, as JSON shows it.
struct InspectionReport: Encodable {
    private enum CodingKeys: CodingKey {
        case user, installation, registration, devices
    }

    private let inspected: InspectedDevices
    private let devices: [DeviceReport]

    /// Describes devices as they are.
    ///
    /// - Parameters:
    ///   - inspected: which devices.
    ///   - sequence: the number of the last push that is already known: the oldest of the following pushes
    ///     are shown; nil: the newest of all.
    ///   - hub: the hub.
    init(of inspected: InspectedDevices, after sequence: Int?, in hub: HubStore) {
        let (found, range) = hub.update { state in
            let range = sequence.map { sequence in
                let start = state.start(after: sequence)
                // Over all devices, so that whoever asks for what follows the greatest number misses none.
                let page = state.pushes(
                    to: inspected, after: start, limit: DeviceReport.mostPushes)
                return start...(page.last?.entry.sequence ?? start)
            }
            return (state.devices(inspected), range)
        }
        self.inspected = inspected
        devices = found.map { DeviceReport($0.registration, $0.mailbox, showing: range) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch inspected {
        case .user(let name): try container.encode(name, forKey: .user)
        case .installation(let id): try container.encode(id, forKey: .installation)
        case .registration(let id): try container.encode(id, forKey: .registration)
        }
        try container.encode(devices, forKey: .devices)
    }
}

/// What one device received, as JSON shows it.
struct DeviceReport: Encodable {
    /// The most pushes shown for a device.
    static let mostPushes = 100

    let registration: String
    let installation: String?
    let platform: LocalHubPlatform
    let handle: String
    let tags: [String]
    /// All pushes that came in, also those no longer kept.
    let count: Int
    /// The newest come first.
    let pushes: [PushReport]

    /// Describes a device.
    ///
    /// - Parameters:
    ///   - registration: its registration.
    ///   - mailbox: what it received.
    ///   - range: the numbers of the pushes to show; nil: the newest ones.
    init(_ registration: Registration, _ mailbox: Mailbox, showing range: ClosedRange<Int>? = nil) {
        self.registration = registration.id
        installation = registration.installationID
        platform = registration.platform
        handle = registration.channel.handle
        tags = registration.tags.sorted()
        count = mailbox.count
        let shown =
            if let range {
                mailbox.entries(after: range.lowerBound).filter { range.contains($0.sequence) }[...]
            } else {
                mailbox.entries.suffix(Self.mostPushes)
            }
        pushes = shown.reversed().map(PushReport.init)
    }
}
