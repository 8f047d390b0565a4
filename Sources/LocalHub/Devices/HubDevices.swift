import NIOCore

struct HubDevices: Sendable {
    private struct Slot {
        let bytes: Int
        var push: KeptPush?
    }

    private let limits: LocalHubLimits
    private var known: [DeviceAddress: KnownDevice] = [:]
    private var nextNumber = 0
    /// The newest pushes to all devices, oldest first, with consecutive sequence numbers.
    private var slots: CircularBuffer<Slot> = []
    private var bytes = 0

    /// The sequence number of the newest push; 0 before the first push.
    private(set) var newestSequence = 0
    private(set) var pushCount = 0

    init(limits: LocalHubLimits) {
        self.limits = limits
    }

    var count: Int { known.count }

    /// The devices, in the order in which they were added.
    var all: [(address: DeviceAddress, device: KnownDevice)] {
        known.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value) }
    }

    subscript(address: DeviceAddress) -> KnownDevice? { known[address] }

    func address(ofNumber number: Int) -> DeviceAddress? {
        known.first { $0.value.number == number }?.key
    }

    /// Adds a device unless it is known; throws a 403 if there are too many devices.
    mutating func add(_ address: DeviceAddress) throws(HubFailure) {
        guard known[address] == nil else { return }
        guard known.count < limits.devices else { throw .tooManyDevices(limits) }
        known[address] = KnownDevice(number: nextNumber)
        nextNumber += 1
    }

    mutating func remove(_ address: DeviceAddress) {
        _ = clear(address)
        known[address] = nil
    }

    /// The sequence numbers, starting with that of the oldest retained push; some pushes in between
    /// may have been dropped.
    var kept: Range<Int> { newestSequence - slots.count + 1..<newestSequence + 1 }

    func push(_ sequence: Int) -> KeptPush? {
        kept.contains(sequence) ? slots[index(of: sequence)].push : nil
    }

    /// Stores a push to a known device and drops the oldest pushes over the limit; returns whether
    /// the device is known.
    ///
    /// `bytes` is the memory that the push does not share with other pushes.
    mutating func deliver(_ push: ReceivedPush, to address: DeviceAddress, bytes: Int) -> Bool {
        guard let index = known.index(forKey: address) else { return false }
        newestSequence += 1
        pushCount += 1
        self.bytes += bytes
        slots.append(
            Slot(
                bytes: bytes,
                push: KeptPush(sequence: newestSequence, device: address, push: push)))
        known.values[index].count += 1
        known.values[index].kept.append(newestSequence)
        if known.values[index].kept.count > limits.pushesPerDevice {
            letGo(known.values[index].kept[0])
        }
        // The newest push is never dropped, whatever its size.
        while slots.count > limits.pushesInAll || self.bytes > limits.pushBytes, slots.count > 1 {
            letGo(kept.lowerBound)
            self.bytes -= slots.removeFirst().bytes
        }
        return true
    }

    /// Drops the pushes to a device, but not the device, and returns how many there were.
    mutating func clear(_ address: DeviceAddress) -> Int {
        guard let sequences = known[address]?.kept else { return 0 }
        for sequence in sequences { letGo(sequence) }
        return sequences.count
    }

    mutating func clear() -> Int {
        let count = pushCount
        for sequence in kept { letGo(sequence) }
        slots.removeAll()
        bytes = 0
        return count
    }

    private func index(of sequence: Int) -> CircularBuffer<Slot>.Index {
        slots.index(slots.startIndex, offsetBy: sequence - kept.lowerBound)
    }

    /// Drops the oldest push of a device.
    ///
    /// A push's bytes are counted until it is the hub's oldest push, because the targets of a send
    /// share the payload.
    private mutating func letGo(_ sequence: Int) {
        let index = index(of: sequence)
        guard let push = slots[index].push else { return }
        slots[index].push = nil
        pushCount -= 1
        known[push.device]?.kept.removeFirst()
    }
}

struct KnownDevice: Sendable {
    /// The number of devices that were added before this one.
    let number: Int
    /// The number of pushes received, including those that were dropped.
    fileprivate(set) var count = 0
    /// The sequence numbers of the device's pushes that have not been dropped, oldest first.
    fileprivate(set) var kept: [Int] = []
}

/// A push stored by a hub; a class, so that snapshots of the hub are cheap.
final class KeptPush: Sendable {
    /// The sequence number among all pushes of the hub, from 1.
    let sequence: Int
    let device: DeviceAddress
    let push: ReceivedPush

    init(sequence: Int, device: DeviceAddress, push: ReceivedPush) {
        self.sequence = sequence
        self.device = device
        self.push = push
    }
}
