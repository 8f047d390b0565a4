import CampaignCore

/// The keys of the config, each found by its `kid`.
struct TokenKeys: Sendable {
    /// By `kid`; the empty one is that of tokens without.
    private let verifiers: [String: TokenVerifier]

    /// Reads the keys.
    ///
    /// - Parameters:
    ///   - keys: what the config names.
    ///   - contents: what their files hold, in the same order.
    /// - Throws: ``IdentityFault`` when a key cannot be used.
    init(_ keys: [TokenKey], contents: [[UInt8]]) async throws(IdentityFault) {
        var verifiers: [String: TokenVerifier] = [:]
        for (key, content) in zip(keys, contents) {
            do throws(TokenKeyFault) {
                verifiers[key.id ?? ""] = try await TokenVerifier(content, for: key.algorithm)
            } catch {
                throw .tokenKey(path: key.file, error)
            }
        }
        self.verifiers = verifiers
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

    /// The key of a token; nil when there is none with its `kid`, or without where it has none.
    func verifier(for header: TokenHeader) -> TokenVerifier? {
        // An empty kid is not the same as none.
        header.keyID == "" ? nil : verifiers[header.keyID ?? ""]
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
