/// The streams and waits that want to know of pushes; there are no more of them than event streams.
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

    /// Whether one waits for pushes to certain devices.
    var wantDevices: Bool { listeners.values.contains { $0.devices != nil } }

    /// Adds a listener.
    ///
    /// - Parameters:
    ///   - devices: the devices, which need not be registered yet; nil: all.
    ///   - bell: wakes the listener; it keeps one ring, and nobody waits for it to be heard.
    /// - Returns: the id to remove the listener by.
    mutating func add(_ devices: InspectedDevices?, bell: AsyncStream<Void>.Continuation) -> Int {
        next += 1
        listeners[next] = Listener(devices: devices, bell: bell)
        return next
    }

    /// Removes a listener, if it is still there.
    mutating func remove(_ id: Int) {
        listeners[id] = nil
    }

    /// Ends all of them, since the hub was deleted.
    mutating func endAll() {
        for listener in listeners.values { listener.bell.finish() }
        listeners = [:]
    }

    /// Wakes those that wait for any push.
    func ringForAny() {
        for listener in listeners.values where listener.devices == nil { listener.bell.yield() }
    }

    /// Wakes those that wait for pushes to the device of some registrations.
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
    /// There is one at the beginning, after new pushes, and after each call of `ring`.
    let rings: AsyncStream<Void>

    private let bell: AsyncStream<Void>.Continuation
    private let hub: HubStore
    private let id: Int

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - devices: the devices; nil: all.
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
