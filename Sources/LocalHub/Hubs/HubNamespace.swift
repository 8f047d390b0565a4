import Synchronization

/// The hubs behind one address, found by name without regard to case.
final class HubNamespace: Sendable {
    private let hubs = Mutex<[String: HubStore]>([:])
    private let limits: LocalHubLimits

    /// Makes a namespace without hubs.
    ///
    /// - Parameter limits: how much each hub keeps.
    init(limits: LocalHubLimits) {
        self.limits = limits
    }

    /// The hub of a name; nil when there is none.
    func hub(named name: String) -> HubStore? {
        hubs.withLock { $0[name.lowercased()] }
    }

    /// All hubs, by name.
    var all: [HubStore] {
        hubs.withLock { Array($0.values) }.sorted { $0.name < $1.name }
    }

    /// Makes an empty hub.
    ///
    /// - Parameter name: its name.
    /// - Returns: the hub; nil when there is one of that name.
    func createHub(named name: String) -> HubStore? {
        hubs.withLock { hubs in
            guard hubs[name.lowercased()] == nil else { return nil }
            let hub = HubStore(name: name, limits: limits)
            hubs[name.lowercased()] = hub
            return hub
        }
    }
}
