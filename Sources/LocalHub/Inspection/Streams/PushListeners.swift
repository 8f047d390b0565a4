/// Who waits for pushes of a hub; there are no more than event streams.
struct PushListeners: Sendable {
    private struct Listener {
        /// The devices; nil: all.
        let devices: InspectedDevices?
        let bell: AsyncStream<Void>.Continuation
    }

    private var listeners: [Int: Listener] = [:]
    private var next = 0

    /// How many there are.
    var count: Int { listeners.count }

    /// Whether somebody waits for pushes to certain devices, and has to be told which one a push went to.
    var wantDevices: Bool { listeners.values.contains { $0.devices != nil } }

    /// Adds a listener.
    ///
    /// - Parameters:
    ///   - devices: whose pushes to wait for, whether they are registered yet or not; nil: anybody's.
    ///   - bell: what to ring; it keeps one ring and is never waited for.
    /// - Returns: what to remove the listener by.
    mutating func add(_ devices: InspectedDevices?, bell: AsyncStream<Void>.Continuation) -> Int {
        next += 1
        listeners[next] = Listener(devices: devices, bell: bell)
        return next
    }

    /// Removes a listener; nothing happens when it is gone.
    mutating func remove(_ id: Int) {
        listeners[id] = nil
    }

    /// Ends the wait of all of them, since the hub is no more.
    mutating func endAll() {
        for listener in listeners.values { listener.bell.finish() }
        listeners = [:]
    }

    /// Rings at everybody who waits for any push.
    func ringForAny() {
        for listener in listeners.values where listener.devices == nil { listener.bell.yield() }
    }

    /// Rings at everybody who waits for pushes to one of a device's registrations.
    func ring(for registrations: [Registration]) {
        for listener in listeners.values {
            guard let devices = listener.devices, registrations.contains(where: devices.include)
            else { continue }
            listener.bell.yield()
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
