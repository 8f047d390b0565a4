import NIOCore

/// The devices that a hub knows, and the newest pushes to them.
struct HubDevices: Sendable {
    /// A push, or the room of one that has gone before its turn.
    private struct Slot {
        let bytes: Int
        var push: KeptPush?
    }

    private let limits: LocalHubLimits
    private var known: [DeviceAddress: KnownDevice] = [:]
    private var nextNumber = 0
    /// The newest pushes of all devices, oldest first; their sequences have no gap.
    private var slots: CircularBuffer<Slot> = []
    private var bytes = 0

    /// The sequence of the newest push; 0: there was none.
    private(set) var newestSequence = 0
    /// How many pushes are kept.
    private(set) var pushCount = 0

    /// Makes a hub without devices.
    init(limits: LocalHubLimits) {
        self.limits = limits
    }

    /// How many devices are known.
    var count: Int { known.count }

    /// The devices, in the order in which the hub came to know them.
    var all: [(address: DeviceAddress, device: KnownDevice)] {
        known.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value) }
    }

    /// What is known of a device; nil when the hub does not know it.
    subscript(address: DeviceAddress) -> KnownDevice? { known[address] }

    /// The device of a number; nil when there is none.
    func address(ofNumber number: Int) -> DeviceAddress? {
        known.first { $0.value.number == number }?.key
    }

    /// Makes a device known, unless it is.
    ///
    /// - Throws: a 403 when the hub keeps as many devices as it can.
    mutating func add(_ address: DeviceAddress) throws(HubFailure) {
        guard known[address] == nil else { return }
        guard known.count < limits.devices else { throw .tooManyDevices(limits) }
        known[address] = KnownDevice(number: nextNumber)
        nextNumber += 1
    }

    /// Forgets a device and the pushes to it.
    mutating func remove(_ address: DeviceAddress) {
        _ = clear(address)
        known[address] = nil
    }

    /// The sequences of the pushes that may be kept; some of them have gone before their turn.
    var kept: Range<Int> { newestSequence - slots.count + 1..<newestSequence + 1 }

    /// The push of a sequence; nil when it is not kept.
    func push(_ sequence: Int) -> KeptPush? {
        kept.contains(sequence) ? slots[place(of: sequence)].push : nil
    }

    /// Keeps a push to a known device, and lets the oldest pushes go that are too many.
    ///
    /// - Parameters:
    ///   - push: the push.
    ///   - address: the device; nothing happens when the hub does not know it.
    ///   - bytes: the memory that the push takes and shares with no other.
    /// - Returns: whether the device is known.
    mutating func deliver(_ push: ReceivedPush, to address: DeviceAddress, bytes: Int) -> Bool {
        guard let place = known.index(forKey: address) else { return false }
        newestSequence += 1
        pushCount += 1
        self.bytes += bytes
        slots.append(
            Slot(
                bytes: bytes,
                push: KeptPush(sequence: newestSequence, device: address, push: push)))
        known.values[place].count += 1
        known.values[place].kept.append(newestSequence)
        if known.values[place].kept.count > limits.pushesPerDevice {
            letGo(known.values[place].kept[0])
        }
        // The newest stays, however large it is.
        while slots.count > limits.pushesInAll || self.bytes > limits.pushBytes, slots.count > 1 {
            letGo(kept.lowerBound)
            self.bytes -= slots.removeFirst().bytes
        }
        return true
    }

    /// Lets the pushes to a device go; it stays known, and they still count.
    ///
    /// - Returns: how many went.
    mutating func clear(_ address: DeviceAddress) -> Int {
        guard let sequences = known[address]?.kept else { return 0 }
        for sequence in sequences { letGo(sequence) }
        return sequences.count
    }

    /// Lets all pushes go; the devices stay known, and the pushes still count.
    ///
    /// - Returns: how many went.
    mutating func clear() -> Int {
        let count = pushCount
        for sequence in kept { letGo(sequence) }
        slots.removeAll()
        bytes = 0
        return count
    }

    private func place(of sequence: Int) -> CircularBuffer<Slot>.Index {
        slots.index(slots.startIndex, offsetBy: sequence - kept.lowerBound)
    }

    /// Lets a push go that is the oldest of its device.
    ///
    /// Its bytes count until its turn comes: the targets of a send share its payload.
    private mutating func letGo(_ sequence: Int) {
        let place = place(of: sequence)
        guard let push = slots[place].push else { return }
        slots[place].push = nil
        pushCount -= 1
        known[push.device]?.kept.removeFirst()
    }
}

/// What a hub knows of a device.
struct KnownDevice: Sendable {
    /// How many devices the hub came to know before it.
    let number: Int
    /// How many pushes there were for it, those that are no longer kept included.
    fileprivate(set) var count = 0
    /// The sequences of the pushes to it that are kept, oldest first.
    fileprivate(set) var kept: [Int] = []
}

/// A push that a hub keeps; an object, so that a snapshot of the hub is cheap to copy.
final class KeptPush: Sendable {
    /// Its number among all pushes of the hub, from 1.
    let sequence: Int
    /// The device that it was for.
    let device: DeviceAddress
    /// What the device, or its push service, got.
    let push: ReceivedPush

    init(sequence: Int, device: DeviceAddress, push: ReceivedPush) {
        self.sequence = sequence
        self.device = device
        self.push = push
    }
}
