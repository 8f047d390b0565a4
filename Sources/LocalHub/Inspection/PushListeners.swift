/// Who waits for pushes of a hub; costs a send nothing when nobody does.
struct PushListeners: Sendable {
    private struct Listener {
        let devices: InspectedDevices
        let bell: AsyncStream<Void>.Continuation
    }

    private var listeners: [Int: Listener] = [:]
    private var next = 0

    /// How many there are.
    var count: Int { listeners.count }

    /// Whether there is none.
    var isEmpty: Bool { listeners.isEmpty }

    /// Adds a listener.
    ///
    /// - Parameters:
    ///   - devices: whose pushes to wait for, whether they are registered yet or not.
    ///   - bell: what to ring; it keeps one ring and is never waited for.
    /// - Returns: what to remove the listener by.
    mutating func add(_ devices: InspectedDevices, bell: AsyncStream<Void>.Continuation) -> Int {
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

    /// Rings at everybody who waits for pushes to one of a device's registrations.
    func ring(for registrations: [Registration]) {
        for listener in listeners.values
        where registrations.contains(where: listener.devices.include) {
            listener.bell.yield()
        }
    }
}
