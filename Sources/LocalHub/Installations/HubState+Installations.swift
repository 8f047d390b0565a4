import struct Foundation.Date

extension HubState {
    /// Takes a write of an installation, or with nil its deletion; a delay of more than 0 seconds defers it.
    ///
    /// Throws a 403 when the hub keeps as many devices as it can.
    mutating func take(
        _ installation: Installation?, id: String, at now: Date, delay: Double,
        random: () -> UInt64
    ) throws(HubFailure) {
        guard delay > 0 else { return try apply(installation, id: id, at: now, random: random) }
        guard devices.count + pendingInstallations.count < limits.devices else {
            throw .tooManyDevices(limits)
        }
        pendingInstallations.append(
            PendingInstallation(
                due: now.addingTimeInterval(delay), id: id, installation: installation))
    }

    /// Does the writes and deletions whose time has come.
    mutating func settleInstallations(at now: Date, random: () -> UInt64) {
        let due = pendingInstallations.prefix { $0.due <= now }
        guard !due.isEmpty else { return }
        pendingInstallations.removeFirst(due.count)
        for change in due {
            do throws(HubFailure) {
                try apply(change.installation, id: change.id, at: now, random: random)
            } catch {
                // The write was answered long ago; without room for it now it is lost, as at the service.
            }
        }
    }

    /// An installation as it will be after all waiting writes; nil when there will be none.
    func upcomingInstallation(id: String, at now: Date) -> Installation? {
        guard let change = pendingInstallations.last(where: { $0.id == id }) else {
            return installation(id: id, at: now)
        }
        return change.installation.flatMap { $0.isLive(at: now) ? $0 : nil }
    }

    private mutating func apply(
        _ installation: Installation?, id: String, at now: Date, random: () -> UInt64
    ) throws(HubFailure) {
        guard let installation else { return removeInstallation(id: id) }
        try put(installation, at: now, random: random)
    }

    /// Adds an installation, or replaces the one of the same id with all its registrations.
    ///
    /// Throws a 403, and changes nothing, when the hub keeps as many devices as it can.
    mutating func put(
        _ installation: Installation, at now: Date, random: () -> UInt64
    ) throws(HubFailure) {
        let old = registrations.registrations(ofInstallation: installation.id)
        let new = installation.registrations(replacing: old, at: now, random: random)
        let unknown = Set(new.map(\.device)).filter { devices[$0] == nil }
        guard devices.count + unknown.count <= limits.devices,
            registrations.count - old.count + new.count <= limits.registrations
        else { throw .tooManyDevices(limits) }
        let kept = Set(new.map(\.id))
        // The new ones first, so that a device that stays keeps its mailbox.
        for registration in new { try put(registration) }
        for registration in old where !kept.contains(registration.id) {
            removeRegistration(id: registration.id)
        }
        installations[installation.id] = installation
    }

    /// The installation of an id; nil when there is none, or it has expired.
    func installation(id: String, at now: Date) -> Installation? {
        installations[id].flatMap { $0.isLive(at: now) ? $0 : nil }
    }

    private mutating func removeInstallation(id: String) {
        for registration in registrations.registrations(ofInstallation: id) {
            removeRegistration(id: registration.id)
        }
        installations[id] = nil
    }
}

/// A write or deletion of an installation that waits for its time.
struct PendingInstallation: Sendable {
    /// When it takes effect.
    let due: Date
    /// The installation's id.
    let id: String
    /// The installation that it writes; nil for a deletion.
    let installation: Installation?
}
