import struct Foundation.Date

/// Everything that one hub knows; a value, changed under the lock of its `HubStore`.
struct HubState: Sendable {
    /// What the hub's creator said about it.
    var description: HubDescription { didSet { revision += 1 } }
    /// The registrations, also those that installations stand for.
    var registrations = RegistrationIndex() { didSet { revision += 1 } }
    /// The installations by id.
    var installations: [String: Installation] = [:] { didSet { revision += 1 } }
    /// Writes of installations that have not taken effect yet, in their order.
    var pendingInstallations: [PendingInstallation] = [] { didSet { revision += 1 } }
    /// The devices and what they received.
    var devices: HubDevices
    /// The notifications that went out.
    var notifications: NotificationLog
    /// The notifications that wait for their time.
    var scheduled: ScheduledSends { didSet { revision += 1 } }
    /// The imports and exports of registrations.
    var jobs = HubJobs()
    /// The handles that push services have refused.
    var feedback: FeedbackLog
    /// The streams and waits that are told of new pushes.
    var listeners = PushListeners()
    /// What the hub has done.
    var counts = LocalHubCounts()
    /// How often something has changed that a state file keeps.
    private(set) var revision = 0
    /// How much to keep.
    let limits: LocalHubLimits

    init(description: HubDescription, limits: LocalHubLimits) {
        self.description = description
        self.limits = limits
        devices = HubDevices(limits: limits)
        notifications = NotificationLog(limits: limits)
        scheduled = ScheduledSends(limits: limits)
        feedback = FeedbackLog(limits: limits)
    }

    /// Adds a registration, or replaces the one of the same id, and makes its device known.
    ///
    /// Throws a 403 when the hub keeps as many devices as it can.
    mutating func put(_ registration: Registration) throws(HubFailure) {
        let old = registrations[id: registration.id]
        // A device may have several registrations (one a template), but not without end.
        guard old != nil || registrations.count < limits.registrations else {
            throw .tooManyDevices(limits)
        }
        try devices.add(registration.device)
        registrations.put(registration)
        if let old, old.device != registration.device { forgetUnlessRegistered(old.device) }
        counts.devices = devices.count
    }

    /// Removes a registration, and the device with its mailbox when no other leads to it.
    mutating func removeRegistration(id: String) {
        guard let removed = registrations.remove(id: id) else { return }
        forgetUnlessRegistered(removed.device)
        counts.devices = devices.count
    }

    private mutating func forgetUnlessRegistered(_ device: DeviceAddress) {
        if registrations.places(of: device).isEmpty { devices.remove(device) }
    }

    /// What the hub has done since it started, as its description tells it.
    var usage: HubDescription.Usage {
        HubDescription.Usage(
            sends: counts.sends, pushes: counts.arrived, devices: devices.count,
            registrations: registrations.count)
    }
}

extension HubState {
    /// The registration of an id; nil when there is none, or it has expired.
    func registration(id: String, at now: Date) -> Registration? {
        registrations[id: id].flatMap { $0.isLive(at: now) ? $0 : nil }
    }

    /// Adds the registration that a document describes, or puts it in the place of the one of the same id.
    ///
    /// Throws a 400 for what is wrong with the document, a 403 when the hub keeps as many devices as it can.
    mutating func put(
        _ document: RegistrationDocument, id: String, at now: Date
    ) throws(HubFailure) -> Registration {
        let known = registration(id: id, at: now)
        var registration = try document.registration(
            id: id, version: (known?.version ?? 0) + 1, at: now)
        // A registration of an installation stays one, and is replaced and deleted with it.
        registration.installationID = known?.installationID
        registration.expiration = known?.expiration
        try put(registration)
        return registration
    }
}
