/// The streams and waiting requests that pushes wake.
struct PushListeners: Sendable {
    private struct Listener {
        /// The devices; nil means all devices.
        let devices: InspectedDevices?
        let bell: AsyncStream<Void>.Continuation
    }

    private var listeners: [Int: Listener] = [:]
    private var next = 0

    var count: Int { listeners.count }

    var wantDevices: Bool { listeners.values.contains { $0.devices != nil } }

    /// Adds a listener, whose devices need not be registered yet; returns the id for removing it.
    mutating func add(_ devices: InspectedDevices?, bell: AsyncStream<Void>.Continuation) -> Int {
        next += 1
        listeners[next] = Listener(devices: devices, bell: bell)
        return next
    }

    mutating func remove(_ id: Int) {
        listeners[id] = nil
    }

    mutating func endAll() {
        for listener in listeners.values { listener.bell.finish() }
        listeners = [:]
    }

    func ringForAny() {
        for listener in listeners.values where listener.devices == nil { listener.bell.yield() }
    }

    func ring(for registrations: [Registration]) {
        for listener in listeners.values {
            guard let devices = listener.devices, registrations.contains(where: devices.include)
            else { continue }
            listener.bell.yield()
        }
    }
}

/// A subscription to the pushes of a hub, which ends when the last reference to it is released.
final class PushSubscription: Sendable {
    /// Yields an element at the start, after new pushes and after `ring`; supports only one reader.
    let rings: AsyncStream<Void>

    private let bell: AsyncStream<Void>.Continuation
    private let hub: HubStore
    private let id: Int

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

    func ring() {
        bell.yield()
    }

    func end() {
        bell.finish()
    }
}
