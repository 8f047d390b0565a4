import HTTPServing
import Synchronization

import struct Foundation.Date

/// The hubs behind one address, found by name without regard to case.
final class HubNamespace: Sendable {
    private let hubs = Mutex<[String: HubStore]>([:])
    private let rules: [LocalHubRule]
    private let verifier: TokenVerifier
    private let limits: LocalHubLimits

    /// Makes a namespace without hubs; the rules are good for all of its hubs, the limits are those of each hub.
    init(rules: [LocalHubRule] = [], limits: LocalHubLimits) {
        self.rules = rules
        verifier = TokenVerifier(rules: rules, skew: limits.clockSkew)
        self.limits = limits
    }

    /// The rule that a request's token proves: one of the namespace's, or of the hub in the request's path.
    ///
    /// Throws when there is no token, or none that is good for this request.
    func rule(
        provenBy request: HubRequest, now: Date
    ) throws(AuthorizationFailure) -> LocalHubRule {
        let hub = request.target.segments.first.flatMap(hub(named:))
        return try (hub?.verifier ?? verifier).rule(
            provenBy: request.headers["authorization"], host: request.authority.host,
            path: request.target.path, now: now)
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
            let hub = HubStore(
                name: name, description: description, namespaceRules: rules, limits: limits)
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
