/// Who waits for pushes of a hub; costs a send nothing when nobody does.
struct PushListeners: Sendable {
    private typealias Bell = AsyncStream<Void>.Continuation

    /// What tells that a registration leads to a device that somebody waits for.
    private enum Mark: Hashable {
        case tag(String)
        case installation(String)
        case registration(String)
    }

    /// What those wait for who wait for certain devices.
    private var marks: [Int: [Mark]] = [:]
    /// Their bells, found without a look at each of them.
    private var markedBells: [Mark: [Int: Bell]] = [:]
    /// Those who wait for any push.
    private var bells: [Int: Bell] = [:]
    private var next = 0

    /// How many there are.
    var count: Int { marks.count + bells.count }

    /// Whether somebody waits for pushes to certain devices, and has to be told which one a push went to.
    var wantDevices: Bool { !marks.isEmpty }

    /// Adds a listener.
    ///
    /// - Parameters:
    ///   - devices: whose pushes to wait for, whether they are registered yet or not; nil: anybody's.
    ///   - bell: what to ring; it keeps one ring and is never waited for.
    /// - Returns: what to remove the listener by.
    mutating func add(_ devices: InspectedDevices?, bell: AsyncStream<Void>.Continuation) -> Int {
        next += 1
        if let devices {
            let marks = Self.marks(of: devices)
            self.marks[next] = marks
            for mark in marks { markedBells[mark, default: [:]][next] = bell }
        } else {
            bells[next] = bell
        }
        return next
    }

    /// Removes a listener; nothing happens when it is gone.
    mutating func remove(_ id: Int) {
        bells[id] = nil
        for mark in marks.removeValue(forKey: id) ?? [] {
            markedBells[mark]?[id] = nil
            if markedBells[mark]?.isEmpty == true { markedBells[mark] = nil }
        }
    }

    /// Ends the wait of all of them, since the hub is no more.
    mutating func endAll() {
        for bell in markedBells.values.joined().map(\.value) { bell.finish() }
        for bell in bells.values { bell.finish() }
        marks = [:]
        markedBells = [:]
        bells = [:]
    }

    /// Rings at everybody who waits for any push.
    func ringForAny() {
        for bell in bells.values { bell.yield() }
    }

    /// Rings at everybody who waits for pushes to one of a device's registrations.
    func ring(for registrations: [Registration]) {
        for registration in registrations {
            ring(.registration(registration.id))
            if let id = registration.installationID { ring(.installation(id)) }
            for tag in registration.tags { ring(.tag(tag)) }
        }
    }

    private func ring(_ mark: Mark) {
        guard let bells = markedBells[mark] else { return }
        for bell in bells.values { bell.yield() }
    }

    private static func marks(of devices: InspectedDevices) -> [Mark] {
        switch devices {
        case .user(let user):
            [.tag(LocalHubDevice.tag(ofUser: user)), .tag(TagTerm.user(user).text)]
        case .installation(let id): [.installation(id)]
        case .registration(let id): [.registration(id)]
        }
    }
}

/// A wait for pushes of a hub; it ends with the last reference to it.
final class PushSubscription: Sendable {
    /// An element whenever there may be something new, for one reader.
    ///
    /// There is one at first, for each push since the last, and for each call of `ring`.
    let rings: AsyncStream<Void>

    private let bell: AsyncStream<Void>.Continuation
    private let hub: HubStore
    private let id: Int

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - devices: whose pushes to wait for; nil: anybody's.
    ///   - hub: the hub.
    init(to devices: InspectedDevices?, of hub: HubStore) {
        let (rings, bell) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.rings = rings
        self.bell = bell
        self.hub = hub
        id = hub.update { $0.listeners.add(devices, bell: bell) }
        bell.yield()
    }

    deinit {
        hub.update { $0.listeners.remove(id) }
    }

    /// Wakes the reader.
    func ring() {
        bell.yield()
    }

    /// Ends the wait.
    func end() {
        bell.finish()
    }
}
