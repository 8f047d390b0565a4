import Synchronization

/// The hubs behind one address, found by name without regard to case.
final class HubNamespace: Sendable {
    private let hubs = Mutex<[String: HubStore]>([:])
    private let limits: LocalHubLimits

    /// Makes a namespace without hubs; the limits are those of each hub.
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

    /// Makes an empty hub; throws a 409 when there is one of that name, a 403 when there are as many as may be.
    func createHub(
        named name: String, description: HubDescription
    ) throws(HubFailure) -> HubStore {
        try hubs.withLock { hubs throws(HubFailure) in
            guard hubs[name.lowercased()] == nil else { throw .hubExists }
            guard hubs.count < limits.hubs else { throw .tooManyHubs }
            let hub = HubStore(name: name, description: description, limits: limits)
            hubs[name.lowercased()] = hub
            return hub
        }
    }

    /// Removes a hub with all that it knows, and returns whether there was one.
    func removeHub(named name: String) -> Bool {
        guard let hub = hubs.withLock({ $0.removeValue(forKey: name.lowercased()) }) else {
            return false
        }
        hub.update { $0.listeners.endAll() }
        return true
    }
}

/// The rules for a hub's name.
enum HubName {
    /// Whether a name can be a hub's: one path segment of 1 to 260 letters, digits and `. - _`, beginning
    /// with a letter or digit.
    static func isValid(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            TagGrammar.isTagByte(byte) && byte != UInt8(ascii: "@") && byte != UInt8(ascii: "#")
                && byte != UInt8(ascii: ":")
        }
        return isPlain && (1...260).contains(name.utf8.count)
            && name.first.map { $0.isLetter || $0.isNumber } == true
    }
}
