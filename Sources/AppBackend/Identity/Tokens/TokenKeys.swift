import CampaignCore

/// The keys of the config, or of the set that it names, each found by its `kid`.
struct TokenKeys: Sendable {
    /// By `kid`; the empty one is that of tokens without.
    ///
    /// A set may have several of one name, and several without.
    private let verifiers: [String: [TokenVerifier]]
    /// What tokens may be signed with at all; nil: what the key that they name is for.
    private let algorithms: Set<String>?

    /// Reads the keys.
    ///
    /// - Parameters:
    ///   - keys: what the config names.
    ///   - contents: what their files hold, in the same order.
    /// - Throws: ``IdentityFault`` when a key cannot be used.
    init(_ keys: [TokenKey], contents: [[UInt8]]) async throws(IdentityFault) {
        var verifiers: [String: [TokenVerifier]] = [:]
        for (key, content) in zip(keys, contents) {
            do throws(TokenKeyFault) {
                verifiers[key.id ?? ""] = [try await TokenVerifier(content, for: key.algorithm)]
            } catch {
                throw .tokenKey(path: key.file, error)
            }
        }
        self.verifiers = verifiers
        algorithms = nil
    }

    /// Reads a set of keys.
    ///
    /// - Parameters:
    ///   - bytes: the set.
    ///   - algorithms: what its keys may be used with, whatever else they are for.
    /// - Throws: ``KeySetFault`` when it has no key that can be used.
    init(keySet bytes: [UInt8], for algorithms: [TokenAlgorithm]) async throws(KeySetFault) {
        var verifiers: [String: [TokenVerifier]] = [:]
        // An empty kid names nothing.
        for key in try KeySetDocument(bytes).keys where key.kid != "" {
            for algorithm in algorithms where key.isFor(algorithm) {
                guard let verifier = await TokenVerifier(key, for: algorithm) else { continue }
                verifiers[key.kid ?? "", default: []].append(verifier)
            }
        }
        guard !verifiers.isEmpty else { throw .noKey(algorithms) }
        self.verifiers = verifiers
        self.algorithms = Set(algorithms.map(\.rawValue))
    }

    /// Checks which keys the config names, without reading them.
    ///
    /// - Throws: ``IdentityFault/tokenKeys(_:)``.
    static func check(_ keys: [TokenKey]) throws(IdentityFault) {
        guard !keys.isEmpty else { throw .tokenKeys(.none) }
        guard keys.count == 1 || !keys.contains(where: { ($0.id ?? "").isEmpty }) else {
            throw .tokenKeys(.unnamedAmongOthers)
        }
        var seen: Set<String> = []
        for id in keys.compactMap(\.id) where !seen.insert(id).inserted {
            throw .tokenKeys(.duplicate(id: id))
        }
    }

    /// Checks a token's signature.
    ///
    /// - Throws: ``TokenFault`` when no key of that name made it with its algorithm.
    func check(_ token: CompactToken) throws(TokenFault) {
        guard algorithms?.contains(token.header.algorithm) != false else { throw .wrongAlgorithm }
        // An empty kid is not the same as none.
        guard token.header.keyID != "", let named = verifiers[token.header.keyID ?? ""] else {
            throw .unknownKey
        }
        let fitting = named.filter { $0.algorithm.rawValue == token.header.algorithm }
        guard !fitting.isEmpty else { throw .wrongAlgorithm }
        guard fitting.contains(where: { $0.isSignature(token.signature, of: token.signed) })
        else { throw .wrongSignature }
    }
}

/// What is wrong with the list of keys that the config names.
package enum TokenKeysFault: Hashable, Sendable, CustomStringConvertible {
    case none
    case duplicate(id: String)
    /// A key without a `kid` beside others.
    case unnamedAmongOthers

    package var description: String {
        switch self {
        case .none: "there is none; name at least one"
        case .duplicate(let id): "two have the kid \(id); give each its own"
        case .unnamedAmongOthers: "one has no kid; give each its own where there are several"
        }
    }
}
