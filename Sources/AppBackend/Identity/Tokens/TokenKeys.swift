import CampaignCore

/// Keys from the config, or from the set that it names, found by `kid`.
struct TokenKeys: Sendable {
    /// By `kid`; the empty one is for tokens without.
    ///
    /// A set may have several keys with one name, or without.
    private let verifiers: [String: [TokenVerifier]]
    /// The algorithms that tokens may use; nil means whatever the named key is for.
    private let algorithms: Set<String>?

    /// - Parameter contents: the files' contents, in the order of the keys.
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

    /// Reads a set; throws when no key in it can be used with the algorithms.
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

    /// Checks the list of keys in the config, without reading them.
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

    /// Verifies the signature; throws when no key with the token's name and algorithm made it.
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

package enum TokenKeysFault: Hashable, Sendable, CustomStringConvertible {
    case none
    case duplicate(id: String)
    /// A key without a `kid` next to others.
    case unnamedAmongOthers

    package var description: String {
        switch self {
        case .none: "there is none; name at least one"
        case .duplicate(let id): "two have the kid \(id); give each its own"
        case .unnamedAmongOthers: "one has no kid; give each its own where there are several"
        }
    }
}
