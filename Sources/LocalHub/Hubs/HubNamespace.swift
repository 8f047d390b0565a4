import HTTPServing
import Synchronization

import struct Foundation.Date

/// The hubs at one address; their names are case-insensitive.
final class HubNamespace: Sendable {
    private let hubs = Mutex<[String: HubStore]>([:])
    private let rules: [LocalHubRule]
    private let verifier: TokenVerifier
    private let limits: LocalHubLimits

    /// Creates an empty namespace; the rules apply to all its hubs, and the limits apply to each
    /// hub separately.
    init(rules: [LocalHubRule] = [], limits: LocalHubLimits) {
        self.rules = rules
        verifier = TokenVerifier(rules: rules, skew: limits.clockSkew)
        self.limits = limits
    }

    /// Returns the rule whose key signed the token, from the namespace or from the hub in the path.
    func rule(
        provenBy request: HubRequest, now: Date
    ) throws(AuthorizationFailure) -> LocalHubRule {
        let hub = request.target.segments.first.flatMap(hub(named:))
        return try (hub?.verifier ?? verifier).rule(
            provenBy: request.headers["authorization"], host: request.authority.host,
            path: request.target.path, now: now)
    }

    func hub(named name: String) -> HubStore? {
        hubs.withLock { $0[name.lowercased()] }
    }

    var all: [HubStore] {
        hubs.withLock { Array($0.values) }.sorted { $0.name < $1.name }
    }

    /// Creates an empty hub; throws a 409 if the name is taken, or a 403 if there are too many
    /// hubs.
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

    func removeHub(named name: String) -> Bool {
        guard let hub = hubs.withLock({ $0.removeValue(forKey: name.lowercased()) }) else {
            return false
        }
        hub.update { $0.listeners.endAll() }
        return true
    }
}

enum HubName {
    /// Whether a name is a path segment of 1 to 260 letters, digits and `. - _` that begins with a
    /// letter or digit.
    static func isValid(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            TagGrammar.isTagByte(byte) && byte != UInt8(ascii: "@") && byte != UInt8(ascii: "#")
                && byte != UInt8(ascii: ":")
        }
        return isPlain && (1...260).contains(name.utf8.count)
            && name.first.map { $0.isLetter || $0.isNumber } == true
    }
}
