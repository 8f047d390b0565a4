/// Devices of nobody: who sends to handles needs no registrations, so what goes to a handle that nobody registered
/// has a mailbox too.
extension HubState {
    private static let prefix = "nobody-"

    /// Makes the devices known that a direct send names; nothing happens for any other send.
    ///
    /// - Throws: a 403 when the hub keeps as many devices as it can; nothing has changed then.
    mutating func admit(_ send: SendRequest) throws(HubFailure) {
        guard case .channels(let channels) = send.audience, let platform = send.content.platform
        else { return }
        var seen: Set<DeviceAddress> = []
        let strangers = channels.map { DeviceAddress(platform: platform, handle: $0.handle) }
            .filter { devices.place(of: $0) == nil && seen.insert($0).inserted }
        guard devices.count + strangers.count <= limits.devices else { throw .tooManyDevices }
        for device in strangers { try devices.add(device) }
        counts.devices = devices.count
    }

    /// The registrations by which a device is shown, in the order of their places.
    ///
    /// - Parameter device: the device.
    /// - Returns: those that lead to it; for a device of nobody one that stands in, without tags and named
    ///   `nobody-` and the place of its mailbox; none for a device that the hub does not know.
    func registrations(showing device: DeviceAddress) -> [Registration] {
        let known = registrations.registrations(of: device)
        guard known.isEmpty, let place = devices.place(of: device) else { return known }
        return [
            Registration(
                id: Self.prefix + String(place), platform: device.platform,
                channel: .handle(device.handle), tags: [])
        ]
    }

    /// The registration by which a device is shown.
    ///
    /// - Parameter id: the registration's id, or that of one that stands in.
    /// - Returns: the registration; nil when there is none.
    func registration(shownAs id: String) -> Registration? {
        if let known = registrations[id: id] { return known }
        guard id.hasPrefix(Self.prefix), let place = Int(id.dropFirst(Self.prefix.count)),
            let device = devices.device(at: place)
        else { return nil }
        return registrations(showing: device).first { $0.id == id }
    }
}
