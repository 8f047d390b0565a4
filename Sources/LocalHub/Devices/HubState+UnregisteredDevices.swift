/// Devices without a registration, which exist because a direct send can use a handle that was
/// never registered.
///
/// The missing registration is shown as `nobody-` followed by the device's number.
extension HubState {
    private static let prefix = "nobody-"

    /// Adds the devices of a direct send; if there would be too many, throws a 403 and changes
    /// nothing.
    mutating func admit(_ send: SendRequest) throws(HubFailure) {
        guard case .channels(let channels) = send.audience, let platform = send.content.platform
        else { return }
        var seen: Set<DeviceAddress> = []
        let unregistered = channels.map { DeviceAddress(platform: platform, handle: $0.handle) }
            .filter { devices[$0] == nil && seen.insert($0).inserted }
        guard devices.count + unregistered.count <= limits.devices else {
            throw .tooManyDevices(limits)
        }
        for device in unregistered { try devices.add(device) }
        counts.devices = devices.count
    }

    /// The registrations shown for a device: its actual registrations, or a substitute.
    func registrations(showing device: DeviceAddress) -> [Registration] {
        let known = registrations.registrations(of: device)
        guard known.isEmpty, let number = devices[device]?.number else { return known }
        return [
            Registration(
                id: Self.prefix + String(number), platform: device.platform,
                channel: .handle(device.handle), tags: [])
        ]
    }

    func registration(shownAs id: String) -> Registration? {
        if let known = registrations[id: id] { return known }
        guard id.hasPrefix(Self.prefix), let number = Int(id.dropFirst(Self.prefix.count)),
            let device = devices.address(ofNumber: number)
        else { return nil }
        return registrations(showing: device).first { $0.id == id }
    }
}
