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
