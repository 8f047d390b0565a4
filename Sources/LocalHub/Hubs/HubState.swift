import struct Foundation.Date

/// The whole state of one hub; the lock of its `HubStore` protects it.
struct HubState: Sendable {
    var description: HubDescription { didSet { revision += 1 } }
    /// The registrations, including those of installations.
    private(set) var registrations = RegistrationIndex() { didSet { revision += 1 } }
    private(set) var installations: [String: Installation] = [:] { didSet { revision += 1 } }
    /// Pending writes to installations, ordered by time.
    private var pendingInstallations: [PendingInstallation] = [] { didSet { revision += 1 } }
    var devices: HubDevices
    var notifications: NotificationLog
    var scheduled: ScheduledSends { didSet { revision += 1 } }
    var jobs = HubJobs()
    var feedback: FeedbackLog
    var listeners = PushListeners()
    var counts = LocalHubCounts()
    /// The number of changes to the data that is saved in a state file.
    private(set) var revision = 0
    let limits: LocalHubLimits

    init(description: HubDescription, limits: LocalHubLimits) {
        self.description = description
        self.limits = limits
        devices = HubDevices(limits: limits)
        notifications = NotificationLog(limits: limits)
        scheduled = ScheduledSends(limits: limits)
        feedback = FeedbackLog(limits: limits)
    }

    /// Adds or replaces a registration and its device; throws a 403 if there are too many devices.
    mutating func put(_ registration: Registration) throws(HubFailure) {
        let old = registrations[id: registration.id]
        // A device can have several registrations, one per template, but their number is limited.
        guard old != nil || registrations.count < limits.registrations else {
            throw .tooManyDevices(limits)
        }
        try devices.add(registration.device)
        registrations.put(registration)
        if let old, old.device != registration.device { forgetUnlessRegistered(old.device) }
        counts.devices = devices.count
    }

    /// Removes a registration; if its device has no other registration, also removes the device and
    /// its pushes.
    mutating func removeRegistration(id: String) {
        guard let removed = registrations.remove(id: id) else { return }
        forgetUnlessRegistered(removed.device)
        counts.devices = devices.count
    }

    private mutating func forgetUnlessRegistered(_ device: DeviceAddress) {
        if registrations.positions(of: device).isEmpty { devices.remove(device) }
    }

    var usage: HubDescription.Usage {
        HubDescription.Usage(
            sends: counts.sends, pushes: counts.arrived, devices: devices.count,
            registrations: registrations.count)
    }
}

extension HubState {
    func registration(id: String, at now: Date) -> Registration? {
        registrations[id: id].flatMap { $0.isLive(at: now) ? $0 : nil }
    }

    /// Adds or replaces the registration in a document; throws a 400 if it is invalid, or a 403 if
    /// there are too many devices.
    mutating func put(
        _ document: RegistrationDocument, id: String, at now: Date
    ) throws(HubFailure) -> Registration {
        let known = registration(id: id, at: now)
        var registration = try document.registration(
            id: id, version: (known?.version ?? 0) + 1, at: now)
        // The registration still belongs to its installation, and is replaced or deleted with it.
        registration.installationID = known?.installationID
        registration.expiration = known?.expiration
        try put(registration)
        return registration
    }
}

/// Installations; changes to them may take effect later, as in the service.
extension HubState {
    /// Writes an installation, or deletes it if `installation` is nil; a delay over 0 seconds
    /// defers the change.
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

    mutating func settleInstallations(at now: Date, random: () -> UInt64) {
        let due = pendingInstallations.prefix { $0.due <= now }
        guard !due.isEmpty else { return }
        pendingInstallations.removeFirst(due.count)
        for change in due {
            do throws(HubFailure) {
                try apply(change.installation, id: change.id, at: now, random: random)
            } catch {
                // The hub has already responded to the write. If there is no room for the
                // installation now, it is lost, as in the service.
            }
        }
    }

    mutating func settleAllInstallations(random: () -> UInt64) {
        while let next = pendingInstallations.first {
            settleInstallations(at: next.due, random: random)
        }
    }

    /// Restores an empty hub from a state file; throws a 403 if the limits are exceeded.
    mutating func restore(
        _ registrations: [Registration], _ installations: [String: Installation]
    ) throws(HubFailure) {
        for registration in registrations { try put(registration) }
        self.installations = installations
    }

    /// The state of an installation after all pending writes.
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

    /// Adds or replaces an installation with all its registrations; if there are too many, throws a
    /// 403 and changes nothing.
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
        // The new registrations are added first, so that a device that remains keeps its received
        // pushes.
        for registration in new { try put(registration) }
        for registration in old where !kept.contains(registration.id) {
            removeRegistration(id: registration.id)
        }
        installations[installation.id] = installation
    }

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

private struct PendingInstallation: Sendable {
    let due: Date
    let id: String
    /// The new installation; nil deletes it.
    let installation: Installation?
}
