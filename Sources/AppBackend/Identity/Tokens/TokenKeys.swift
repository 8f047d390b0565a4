import CampaignCore
import Crypto
import HTTPServing
import Logging
import Synchronization

/// Keys from the config or a key set, which are looked up by `kid`.
///
/// They remember the tokens that they have verified. Reloaded keys remember nothing, so a removed
/// key no longer verifies any token.
final class TokenKeys: Sendable {
    private struct Memory {
        /// The verifiers for each header as sent; tokens signed with the same key share their
        /// header.
        var verifiers: [[UInt8]: [TokenVerifier]] = [:]
        /// The keys are digests, so that no token is kept in memory.
        var tokens: RecentValues<SHA256Digest, VerifiedToken>
    }

    /// How long a token is accepted before its signature is verified again.
    static let lifetime = Duration.seconds(60)
    private static let mostHeaders = 16

    /// Verifiers by `kid`; the empty string is for tokens without a `kid`.
    ///
    /// A set may contain several keys with the same `kid` or without a `kid`.
    private let verifiers: [String: [TokenVerifier]]
    /// The algorithms that tokens may use; nil allows any algorithm of the key that the token
    /// names.
    private let algorithms: [String]?
    /// Which keys of the set are not used, and why.
    let unused: [UnusedKey]
    private let memory: Mutex<Memory>

    /// - Parameter mostTokens: the maximum number of remembered tokens; each takes about 300 bytes.
    init(
        _ verifiers: [String: [TokenVerifier]], algorithms: [String]? = nil,
        unused: [UnusedKey] = [], mostTokens: Int = 65_536
    ) {
        self.verifiers = verifiers
        self.algorithms = algorithms
        self.unused = unused
        memory = Mutex(
            Memory(tokens: RecentValues(lifetime: Self.lifetime, limit: mostTokens)))
    }

    /// - Parameter contents: the files' contents, in the order of the keys.
    convenience init(_ keys: [TokenKey], contents: [[UInt8]]) async throws(IdentityError) {
        var verifiers: [String: [TokenVerifier]] = [:]
        for (key, content) in zip(keys, contents) {
            do throws(TokenKeyError) {
                verifiers[key.id ?? ""] = [try await TokenVerifier(content, for: key.algorithm)]
            } catch {
                throw .tokenKey(path: key.file, error)
            }
        }
        self.init(verifiers)
    }

    /// Reads a key set; throws if none of its keys fits the algorithms.
    convenience init(
        keySet bytes: [UInt8], for algorithms: [TokenAlgorithm]
    ) async throws(KeySetError) {
        var verifiers: [String: [TokenVerifier]] = [:]
        var unused: [UnusedKey] = []
        for entry in try KeySetDocument(bytes).keys {
            var objection = entry.objection(for: algorithms)
            if objection == nil, let key = entry.key {
                objection = "its parameters are missing, too small or not on its curve"
                for algorithm in algorithms where key.isFor(algorithm) {
                    guard let verifier = await TokenVerifier(key, for: algorithm) else { continue }
                    verifiers[key.kid ?? "", default: []].append(verifier)
                    objection = nil
                }
            }
            if let objection {
                let name =
                    entry.kid.map { "with the kid \(ClientText.quoted($0))" } ?? "without a kid"
                unused.append(
                    UnusedKey(
                        sentence: "The issuer's key \(name) is not used: \(objection).",
                        level: entry.key?.isForOtherUse == true ? .notice : .warning))
            }
        }
        guard !verifiers.isEmpty else {
            throw .noKey(algorithms, unused: unused.first?.sentence)
        }
        self.init(verifiers, algorithms: algorithms.map(\.rawValue), unused: unused)
    }

    /// Logs which keys are not used, unless this was logged before.
    func log(to logger: Logger, after known: [UnusedKey] = []) {
        for key in unused where !known.contains(key) {
            logger.log(level: key.level, "\(key.sentence)")
        }
    }

    /// Checks the list of keys in the config without reading their files.
    static func check(_ keys: [TokenKey]) throws(IdentityError) {
        guard !keys.isEmpty else { throw .tokenKeys(.none) }
        guard keys.count == 1 || !keys.contains(where: { ($0.id ?? "").isEmpty }) else {
            throw .tokenKeys(.unnamedAmongOthers)
        }
        var seen: Set<String> = []
        for id in keys.compactMap(\.id) where !seen.insert(id).inserted {
            throw .tokenKeys(.duplicate(id: id))
        }
    }

    /// Verifies the signature; throws unless it was made by a key with the token's kid and
    /// algorithm.
    func check(_ token: CompactToken) throws(TokenError) {
        let known = memory.withLock { $0.verifiers[token.header] }
        let verifiers: [TokenVerifier]
        if let known { verifiers = known } else { verifiers = try self.verifiers(for: token) }
        guard verifiers.contains(where: { $0.isSignature(token.signature, of: token.signed) })
        else { throw .wrongSignature }
        guard known == nil else { return }
        // Only headers with a valid signature are kept, but an issuer may write any number of them.
        memory.withLock { memory in
            if memory.verifiers.count >= Self.mostHeaders { memory.verifiers = [:] }
            memory.verifiers[token.header] = verifiers
        }
    }

    private func verifiers(for token: CompactToken) throws(TokenError) -> [TokenVerifier] {
        let header = try TokenHeader(token.header)
        if let name = header.unsupported { throw .unsupported(name) }
        guard header.isForAccess else { throw .wrongType(header.type ?? "") }
        let algorithm = header.algorithm
        if let algorithms, !algorithms.contains(algorithm) {
            throw .wrongAlgorithm(algorithm, expected: algorithms)
        }
        // An empty kid is not a missing kid.
        guard header.keyID != "", let named = verifiers[header.keyID ?? ""] else {
            throw .unknownKey(header.keyID)
        }
        let fitting = named.filter { $0.algorithm.rawValue == algorithm }
        guard !fitting.isEmpty else {
            throw .wrongAlgorithm(algorithm, expected: named.map(\.algorithm.rawValue))
        }
        return fitting
    }

    /// The token with this digest, if one of these keys has verified it within ``lifetime``.
    func verifiedToken(
        _ digest: SHA256Digest, now: ContinuousClock.Instant
    ) -> VerifiedToken? {
        memory.withLock { $0.tokens.value(of: digest, now: now) }
    }

    /// Remembers a token that one of these keys verified and whose claims are valid.
    func keep(_ token: VerifiedToken, of digest: SHA256Digest, now: ContinuousClock.Instant) {
        memory.withLock { $0.tokens.keep(token, of: digest, now: now) }
    }
}

/// The content of a valid token, whose times are checked at each use.
struct VerifiedToken: Sendable {
    let user: Username
    let times: TokenTimes
}

struct UnusedKey: Equatable, Sendable {
    let sentence: String
    let level: Logger.Level
}

package enum TokenKeysError: Hashable, Sendable, CustomStringConvertible {
    case none
    case duplicate(id: String)
    /// A key has no `kid` although there are several keys.
    case unnamedAmongOthers

    package var description: String {
        switch self {
        case .none: "the list has no keys; add at least one"
        case .duplicate(let id): "two keys have the kid \(id); give each key its own kid"
        case .unnamedAmongOthers:
            "one key has no kid; if there are several keys, each needs its own kid"
        }
    }
}
