struct DevicePage: Encodable {
    private let devices: [DeviceSummary]
    private let total: Int
    /// The value of `from` for the next page; null on the last page.
    @NullWhenNil private var next: Int?

    /// Lists the matching devices, starting with number `from`; without a search, all devices
    /// match.
    init(search: TextSearch?, from: Int, limit: Int, in hub: HubState) {
        let found = search.map(hub.devices(ofUsersWith:))
        let listed = hub.devices.all.filter { found?.contains($0.address) ?? true }
        let page = listed.drop { $0.device.number < from }
        devices = page.prefix(limit).compactMap {
            DeviceSummary(hub.registrations(showing: $0.address), $0.device)
        }
        total = listed.count
        next = page.dropFirst(limit).first?.device.number
    }
}

private struct DeviceSummary: Encodable {
    private let registration: String
    private let installation: String?
    private let platform: LocalHubPlatform
    private let handle: String
    private let tags: [String]
    private let users: [String]
    /// The number of pushes received, including those that were dropped.
    private let count: Int
    /// The newest message; null if there is none.
    @NullWhenNil private var newest: Int?

    init?(_ registrations: [Registration], _ device: KnownDevice) {
        guard let first = registrations.first else { return nil }
        registration = first.id
        installation = first.installationID
        platform = first.platform
        handle = first.channel.handle
        tags = first.tags.sorted()
        users = UserNames.names(of: registrations)
        count = device.count
        newest = device.kept.last
    }
}

extension HubState {
    func devices(ofUsersWith text: TextSearch) -> Set<DeviceAddress> {
        Set(
            registrations.all.lazy.filter { registration in
                registration.tags.contains {
                    UserNames.name(inTag: $0).map { text.matches(String($0)) } ?? false
                }
            }.map(\.device))
    }
}
