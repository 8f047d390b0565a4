/// Who waits for pushes of a hub; costs a send nothing when nobody does.
struct PushListeners: Sendable {
    private struct Listener {
        let devices: InspectedDevices
        let bell: AsyncStream<Void>.Continuation
    }

    private var listeners: [Int: Listener] = [:]
    /// Those who wait for any push.
    private var bells: [Int: AsyncStream<Void>.Continuation] = [:]
    private var next = 0

    /// How many there are.
    var count: Int { listeners.count + bells.count }

    /// Whether somebody waits for pushes to certain devices, and has to be told which one a push went to.
    var wantDevices: Bool { !listeners.isEmpty }

    /// Adds a listener.
    ///
    /// - Parameters:
    ///   - devices: whose pushes to wait for, whether they are registered yet or not; nil: anybody's.
    ///   - bell: what to ring; it keeps one ring and is never waited for.
    /// - Returns: what to remove the listener by.
    mutating func add(_ devices: InspectedDevices?, bell: AsyncStream<Void>.Continuation) -> Int {
        next += 1
        if let devices {
            listeners[next] = Listener(devices: devices, bell: bell)
        } else {
            bells[next] = bell
        }
        return next
    }

    /// Removes a listener; nothing happens when it is gone.
    mutating func remove(_ id: Int) {
        listeners[id] = nil
        bells[id] = nil
    }

    /// Ends the wait of all of them, since the hub is no more.
    mutating func endAll() {
        for listener in listeners.values { listener.bell.finish() }
        for bell in bells.values { bell.finish() }
        listeners = [:]
        bells = [:]
    }

    /// Rings at everybody who waits for any push.
    func ringForAny() {
        for bell in bells.values { bell.yield() }
    }

    /// Rings at everybody who waits for pushes to one of a device's registrations.
    func ring(for registrations: [Registration]) {
        for listener in listeners.values
        where registrations.contains(where: listener.devices.include) {
            listener.bell.yield()
        }
    }
}
