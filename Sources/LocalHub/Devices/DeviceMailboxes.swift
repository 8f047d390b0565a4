/// All devices that a hub has come to know, and what each of them received.
struct DeviceMailboxes: Sendable {
    private var places: [DeviceAddress: Int] = [:]
    private var mailboxes: [Mailbox] = []
    /// Places in `mailboxes` that no device has any more.
    private var vacant: [Int] = []
    private var retention: PushRetention
    private let limits: LocalHubLimits

    /// Makes a hub without devices.
    ///
    /// - Parameter limits: how much to keep.
    init(limits: LocalHubLimits) {
        self.limits = limits
        retention = PushRetention(limits: limits)
    }

    /// How many devices are known.
    var count: Int { places.count }

    /// The number of the newest push; 0: there was none.
    var newestSequence: Int { retention.newest }

    /// Makes a device known, unless it is.
    ///
    /// - Throws: a 403 when the hub keeps as many devices as it can.
    mutating func add(_ device: DeviceAddress) throws(HubFailure) {
        guard places[device] == nil else { return }
        guard places.count < limits.devices else { throw .tooManyDevices }
        if let place = vacant.popLast() {
            mailboxes[place] = Mailbox()
            places[device] = place
        } else {
            places[device] = mailboxes.count
            mailboxes.append(Mailbox())
        }
    }

    /// Forgets a device and what it received.
    mutating func remove(_ device: DeviceAddress) {
        guard let place = places.removeValue(forKey: device) else { return }
        mailboxes[place] = Mailbox()
        vacant.append(place)
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
    ///   - bytes: what the push takes of memory that no other push shares.
    /// - Returns: whether the device is known.
    mutating func deliver(_ push: ReceivedPush, to device: DeviceAddress, bytes: Int) -> Bool {
        guard let place = places[device] else { return false }
        let sequence = retention.take(for: place, bytes: bytes)
        while let oldest = retention.letGo() {
            mailboxes[oldest.mailbox].letGo(through: oldest.sequence)
        }
        mailboxes[place].add(push, sequence: sequence, limit: limits.pushesPerDevice)
        return true
    }
}
