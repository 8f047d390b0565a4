import struct Foundation.Date

extension HubState {
    /// Adds an installation, or replaces the one of the same id with all its registrations.
    ///
    /// - Parameters:
    ///   - installation: the installation.
    ///   - now: the hub's time.
    ///   - random: a source of 64 random bits, for the ids of its registrations.
    /// - Throws: a 403 when the hub keeps as many devices as it can; nothing has changed then.
    mutating func put(
        _ installation: Installation, at now: Date, random: () -> UInt64
    ) throws(HubFailure) {
        let old = registrations.registrations(ofInstallation: installation.id)
        let new = installation.registrations(replacing: old, at: now, random: random)
        let unknown = Set(new.map(\.device)).filter { devices[$0] == nil }
        guard devices.count + unknown.count <= limits.devices,
            registrations.count - old.count + new.count <= limits.registrations
        else { throw .tooManyDevices }
        let kept = Set(new.map(\.id))
        for registration in old where !kept.contains(registration.id) {
            registrations.remove(id: registration.id)
        }
        for registration in new { try put(registration) }
        installations[installation.id] = installation
    }

    /// The installation of an id; nil when there is none, or it has expired.
    func installation(id: String, at now: Date) -> Installation? {
        installations[id].flatMap { $0.isLive(at: now) ? $0 : nil }
    }

    /// Removes an installation with all its registrations.
    mutating func removeInstallation(id: String) {
        for registration in registrations.registrations(ofInstallation: id) {
            registrations.remove(id: registration.id)
        }
        installations[id] = nil
    }
}
