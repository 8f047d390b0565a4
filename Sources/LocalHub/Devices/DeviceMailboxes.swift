/// All devices that a hub has come to know, and what each of them received.
struct DeviceMailboxes: Sendable {
    private var places: [DeviceAddress: Int] = [:]
    private var mailboxes: [Mailbox] = []
    private var retention: PushRetention
    private let limits: LocalHubLimits

    /// Makes a hub without devices.
    ///
    /// - Parameter limits: how much to keep.
    init(limits: LocalHubLimits) {
        self.limits = limits
        retention = PushRetention(limit: limits.pushesInAll)
    }

    /// How many devices are known.
    var count: Int { mailboxes.count }

    /// The number of the newest push; 0: there was none.
    var newestSequence: Int { retention.newest }

    /// Makes a device known, unless it is.
    ///
    /// - Throws: a 403 when the hub keeps as many devices as it can.
    mutating func add(_ device: DeviceAddress) throws(HubFailure) {
        guard places[device] == nil else { return }
        guard mailboxes.count < limits.devices else { throw .tooManyDevices }
        places[device] = mailboxes.count
        mailboxes.append(Mailbox())
    }

    /// What a device received; nil when the hub does not know it.
    subscript(device: DeviceAddress) -> Mailbox? {
        places[device].map { mailboxes[$0] }
    }

    /// Puts a push into a known device's mailbox.
    ///
    /// - Parameters:
    ///   - push: the push.
    ///   - device: the device; nothing happens when the hub does not know it.
    /// - Returns: whether the device is known.
    mutating func deliver(_ push: ReceivedPush, to device: DeviceAddress) -> Bool {
        guard let place = places[device] else { return false }
        let (sequence, oldest) = retention.take(for: place)
        if let oldest { mailboxes[oldest.mailbox].letGo(through: oldest.sequence) }
        mailboxes[place].add(push, sequence: sequence, limit: limits.pushesPerDevice)
        return true
    }
}
