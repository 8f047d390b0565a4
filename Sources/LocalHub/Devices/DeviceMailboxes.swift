import NIOCore

/// All devices that a hub has come to know, and what each of them received.
struct DeviceMailboxes: Sendable {
    private var places: [DeviceAddress: Int] = [:]
    private var mailboxes: [Mailbox] = []
    /// Whose mailbox each of them is; nil: nobody's any more.
    private var addresses: [DeviceAddress?] = []
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

    /// How many pushes the mailboxes keep now.
    private(set) var pushCount = 0

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
            addresses[place] = device
            places[device] = place
        } else {
            places[device] = mailboxes.count
            mailboxes.append(Mailbox())
            addresses.append(device)
        }
    }

    /// Forgets a device and what it received.
    mutating func remove(_ device: DeviceAddress) {
        guard let place = places.removeValue(forKey: device) else { return }
        pushCount -= mailboxes[place].keptCount
        mailboxes[place] = Mailbox()
        addresses[place] = nil
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
            if mailboxes[oldest.mailbox].letGo(through: oldest.sequence) { pushCount -= 1 }
        }
        let before = mailboxes[place].keptCount
        mailboxes[place].add(push, sequence: sequence, limit: limits.pushesPerDevice)
        pushCount += mailboxes[place].keptCount - before
        return true
    }

    /// The numbers of the pushes that mailboxes may still keep.
    var kept: Range<Int> { retention.kept }

    /// One more than the highest place of a mailbox; a listing goes through the places below it.
    var endPlace: Int { mailboxes.count }

    /// The device whose mailbox is at a place, and the mailbox; nil when it is nobody's.
    ///
    /// A device keeps its place for as long as it is known; that of a forgotten one is given to another.
    subscript(place: Int) -> (device: DeviceAddress, mailbox: Mailbox)? {
        guard addresses.indices.contains(place) else { return nil }
        return addresses[place].map { ($0, mailboxes[place]) }
    }

    /// The place of a device's mailbox; nil when the hub does not know it.
    func place(of device: DeviceAddress) -> Int? { places[device] }

    /// The device whose mailbox is at a place; nil when it is nobody's.
    func device(at place: Int) -> DeviceAddress? {
        addresses.indices.contains(place) ? addresses[place] : nil
    }

    /// The place of the mailbox that a push went to; nil when it is certain that the push is no longer kept.
    func place(of sequence: Int) -> Int? { retention.mailbox(of: sequence) }

    /// The push of a number in the mailbox at a place; nil when it is not there, or no longer.
    func entry(_ sequence: Int, at place: Int) -> Mailbox.Entry? {
        mailboxes.indices.contains(place) ? mailboxes[place].entry(sequence) : nil
    }

    /// Lets the pushes of a device go; the device stays, and its pushes still count.
    ///
    /// What they took of memory stays reckoned until their turn comes: pushes of other devices may share it.
    ///
    /// - Parameters:
    ///   - device: the device; nothing happens when the hub does not know it.
    ///   - sequence: the number of the newest push that may go.
    /// - Returns: how many went.
    mutating func clear(_ device: DeviceAddress, through sequence: Int) -> Int {
        guard let place = places[device] else { return 0 }
        let cleared = mailboxes[place].clear(through: sequence)
        pushCount -= cleared
        return cleared
    }

    /// Lets the oldest pushes of all devices go; the devices stay, and their pushes still count.
    ///
    /// - Parameters:
    ///   - sequence: the number of the newest push that may go.
    ///   - limit: how many numbers to go through at most.
    /// - Returns: how many pushes went, and whether none is left that may go.
    mutating func clear(through sequence: Int, limit: Int) -> (cleared: Int, isDone: Bool) {
        var cleared = 0
        for _ in 0..<limit {
            guard let oldest = retention.letGo(through: sequence) else { return (cleared, true) }
            guard mailboxes[oldest.mailbox].letGo(through: oldest.sequence) else { continue }
            cleared += 1
            pushCount -= 1
        }
        return (cleared, false)
    }
}

/// Which mailbox holds each of the newest pushes of the whole hub, so that memory stays bounded however
/// many devices there are and however large their pushes.
private struct PushRetention: Sendable {
    private struct Place {
        let mailbox: Int32
        let bytes: Int32
    }

    private let mostPushes: Int
    private let mostBytes: Int
    private var places: CircularBuffer<Place> = []
    private var bytes = 0
    /// The number of the newest push; 0: there was none.
    private(set) var newest = 0

    /// Makes a retention.
    ///
    /// - Parameter limits: how many pushes the hub keeps, and how many bytes of them.
    init(limits: LocalHubLimits) {
        mostPushes = limits.pushesInAll
        mostBytes = limits.pushBytes
    }

    /// Numbers the next push.
    ///
    /// - Parameters:
    ///   - mailbox: the place of the mailbox that it goes to.
    ///   - bytes: what it takes of memory that no other push shares.
    /// - Returns: its number, counted from 1.
    mutating func take(for mailbox: Int, bytes: Int) -> Int {
        newest += 1
        places.append(Place(mailbox: Int32(mailbox), bytes: Int32(clamping: bytes)))
        self.bytes += bytes
        return newest
    }

    /// Takes the oldest push out when there are too many; the newest always stays.
    ///
    /// - Returns: its mailbox and number; nil when nothing has to go.
    mutating func letGo() -> (mailbox: Int, sequence: Int)? {
        guard places.count > mostPushes || bytes > mostBytes, places.count > 1,
            let oldest = places.popFirst()
        else { return nil }
        bytes -= Int(oldest.bytes)
        return (Int(oldest.mailbox), newest - places.count)
    }

    /// Takes the oldest push out, whether anything has to go or not.
    ///
    /// - Parameter sequence: the number of the newest push that may go.
    /// - Returns: its mailbox and number; nil when none is left that may go.
    mutating func letGo(through sequence: Int) -> (mailbox: Int, sequence: Int)? {
        guard kept.lowerBound <= sequence, let oldest = places.popFirst() else { return nil }
        bytes -= Int(oldest.bytes)
        return (Int(oldest.mailbox), newest - places.count)
    }

    /// The numbers of the pushes that mailboxes may still keep.
    ///
    /// Some of them may have gone: a device keeps no more than its share, is forgotten, or is cleared.
    var kept: Range<Int> { newest - places.count + 1..<newest + 1 }

    /// The place of the mailbox that a push went to; nil when its number is none of ``kept``.
    func mailbox(of sequence: Int) -> Int? {
        guard kept.contains(sequence) else { return nil }
        let index = places.index(places.startIndex, offsetBy: sequence - kept.lowerBound)
        return Int(places[index].mailbox)
    }
}
