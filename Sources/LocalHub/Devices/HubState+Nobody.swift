/// Devices without a registration: a direct send names handles, so a handle that was never registered is a device too.
///
/// A registration that stands in for the missing one shows it, named `nobody-` and the number of the device.
extension HubState {
    private static let prefix = "nobody-"

    /// Adds the devices that a direct send names; other sends add none.
    ///
    /// - Throws: a 403 when the hub keeps as many devices as it can; nothing has changed then.
    mutating func admit(_ send: SendRequest) throws(HubFailure) {
        guard case .channels(let channels) = send.audience, let platform = send.content.platform
        else { return }
        var seen: Set<DeviceAddress> = []
        let strangers = channels.map { DeviceAddress(platform: platform, handle: $0.handle) }
            .filter { devices[$0] == nil && seen.insert($0).inserted }
        guard devices.count + strangers.count <= limits.devices else {
            throw .tooManyDevices(limits)
        }
        for device in strangers { try devices.add(device) }
        counts.devices = devices.count
    }

    /// The registrations by which a device is shown, in their order.
    ///
    /// - Parameter device: the device.
    /// - Returns: those that lead to it, or the one that stands in; none for a device that the hub does not know.
    func registrations(showing device: DeviceAddress) -> [Registration] {
        let known = registrations.registrations(of: device)
        guard known.isEmpty, let number = devices[device]?.number else { return known }
        return [
            Registration(
                id: Self.prefix + String(number), platform: device.platform,
                channel: .handle(device.handle), tags: [])
        ]
    }

    /// The registration by which a device is shown.
    ///
    /// - Parameter id: the registration's id, or that of one that stands in.
    /// - Returns: the registration; nil when there is none.
    func registration(shownAs id: String) -> Registration? {
        if let known = registrations[id: id] { return known }
        guard id.hasPrefix(Self.prefix), let number = Int(id.dropFirst(Self.prefix.count)),
            let device = devices.address(ofNumber: number)
        else { return nil }
        return registrations(showing: device).first { $0.id == id }
    }
}
