struct InspectionReport: Encodable {
    private let user: String?
    private let installation: String?
    private let registration: String?
    private let devices: [DeviceReport]

    /// Describes devices with the oldest pushes after a sequence number or, if no number is given,
    /// with the newest pushes of each device.
    init(of inspected: InspectedDevices, after sequence: Int?, in hub: HubState) {
        (user, installation, registration) =
            switch inspected {
            case .user(let name): (name, nil, nil)
            case .installation(let id): (nil, id, nil)
            case .registration(let id): (nil, nil, id)
            }
        // The oldest pushes are chosen across all devices, so a client that continues after the
        // greatest sequence number misses none.
        let following = sequence.map { sequence in
            Set(
                hub.pushes(
                    to: inspected, after: hub.start(after: sequence),
                    limit: DeviceReport.mostPushes
                ).map(\.kept.sequence))
        }
        devices = hub.devices(inspected).map { registration, device in
            let sequences = following.map { device.kept.filter($0.contains) } ?? device.kept
            return DeviceReport(
                registration, count: device.count,
                pushes: sequences.suffix(DeviceReport.mostPushes).compactMap(hub.devices.push))
        }
    }
}

struct DeviceReport: Encodable {
    static let mostPushes = 100

    private let registration: String
    private let installation: String?
    private let platform: LocalHubPlatform
    private let handle: String
    private let tags: [String]
    /// The number of pushes received, including those that were dropped.
    private let count: Int
    /// The messages, newest first.
    private let pushes: [PushReport]

    init(_ registration: Registration, count: Int, pushes: [KeptPush]) {
        self.registration = registration.id
        installation = registration.installationID
        platform = registration.platform
        handle = registration.channel.handle
        tags = registration.tags.sorted()
        self.count = count
        self.pushes = pushes.reversed().map(PushReport.init)
    }
}
