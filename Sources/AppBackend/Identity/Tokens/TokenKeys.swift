import CampaignCore
import Crypto
import HTTPServing
import Logging
import Synchronization

/// Keys from the config, or from the set that it names, found by `kid`.
///
/// They remember what they verified. Keys that are read or fetched again start with nothing, so a
/// removed key verifies nothing any more.
final class TokenKeys: Sendable {
    private struct Memory {
        /// The verifiers that a header names, by its text: tokens of a key share their header.
        var verifiers: [[UInt8]: [TokenVerifier]] = [:]
        /// By the digest of the token, so that no token is kept.
        var tokens: RecentValues<SHA256Digest, VerifiedToken>
    }

    /// How long a token counts without its signature being verified again.
    static let lifetime = Duration.seconds(60)
    private static let mostHeaders = 16

    /// By `kid`; the empty one is for tokens without.
    ///
    /// A set may have several keys with one name, or without.
    private let verifiers: [String: [TokenVerifier]]
    /// The algorithms that tokens may use; nil means whatever the named key is for.
    private let algorithms: [String]?
    /// Why keys of the set are not used.
    let passedOver: [PassedOverKey]
    private let memory: Mutex<Memory>

    /// - Parameter mostTokens: the most that are remembered; each takes about 300 bytes.
    init(
        _ verifiers: [String: [TokenVerifier]], algorithms: [String]? = nil,
        passedOver: [PassedOverKey] = [], mostTokens: Int = 65_536
    ) {
        self.verifiers = verifiers
        self.algorithms = algorithms
        self.passedOver = passedOver
        memory = Mutex(
            Memory(tokens: RecentValues(lifetime: Self.lifetime, limit: mostTokens)))
    }

    /// - Parameter contents: the files' contents, in the order of the keys.
    convenience init(_ keys: [TokenKey], contents: [[UInt8]]) async throws(IdentityFault) {
        var verifiers: [String: [TokenVerifier]] = [:]
        for (key, content) in zip(keys, contents) {
            do throws(TokenKeyFault) {
                verifiers[key.id ?? ""] = [try await TokenVerifier(content, for: key.algorithm)]
            } catch {
                throw .tokenKey(path: key.file, error)
            }
        }
        self.init(verifiers)
    }

    /// Reads a set; throws when no key in it can be used with the algorithms.
    convenience init(
        keySet bytes: [UInt8], for algorithms: [TokenAlgorithm]
    ) async throws(KeySetFault) {
        var verifiers: [String: [TokenVerifier]] = [:]
        var passedOver: [PassedOverKey] = []
        for entry in try KeySetDocument(bytes).keys {
            var objection = entry.objection(for: algorithms)
            if objection == nil, let key = entry.key {
                objection = "its numbers are missing, too small or not on its curve"
                for algorithm in algorithms where key.isFor(algorithm) {
                    guard let verifier = await TokenVerifier(key, for: algorithm) else { continue }
                    verifiers[key.kid ?? "", default: []].append(verifier)
                    objection = nil
                }
            }
            if let objection {
                let name =
                    entry.kid.map { "with the kid \(ClientText.quoted($0))" } ?? "without kid"
                passedOver.append(
                    PassedOverKey(
                        sentence: "The issuer's key \(name) is not used: \(objection).",
                        level: entry.key?.isForOtherUse == true ? .notice : .warning))
            }
        }
        guard !verifiers.isEmpty else {
            throw .noKey(algorithms, passedOver: passedOver.first?.sentence)
        }
        self.init(verifiers, algorithms: algorithms.map(\.rawValue), passedOver: passedOver)
    }

    /// Logs which keys are not used, unless that was said before.
    func log(to logger: Logger, after known: [PassedOverKey] = []) {
        for key in passedOver where !known.contains(key) {
            logger.log(level: key.level, "\(key.sentence)")
        }
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
        let known = memory.withLock { $0.verifiers[token.header] }
        let verifiers: [TokenVerifier]
        if let known { verifiers = known } else { verifiers = try self.verifiers(for: token) }
        guard verifiers.contains(where: { $0.isSignature(token.signature, of: token.signed) })
        else { throw .wrongSignature }
        guard known == nil else { return }
        // Only headers with a good signature are kept, but an issuer may write any number of them.
        memory.withLock { memory in
            if memory.verifiers.count >= Self.mostHeaders { memory.verifiers = [:] }
            memory.verifiers[token.header] = verifiers
        }
    }

    private func verifiers(for token: CompactToken) throws(TokenFault) -> [TokenVerifier] {
        let header = try TokenHeader(token.header)
        if let name = header.unsupported { throw .unsupported(name) }
        guard header.isForAccess else { throw .wrongType(header.type ?? "") }
        let algorithm = header.algorithm
        if let algorithms, !algorithms.contains(algorithm) {
            throw .wrongAlgorithm(algorithm, expected: algorithms)
        }
        // An empty kid is not the same as none.
        guard header.keyID != "", let named = verifiers[header.keyID ?? ""] else {
            throw .unknownKey(header.keyID)
        }
        let fitting = named.filter { $0.algorithm.rawValue == algorithm }
        guard !fitting.isEmpty else {
            throw .wrongAlgorithm(algorithm, expected: named.map(\.algorithm.rawValue))
        }
        return fitting
    }

    /// The token of a digest, if one of these keys verified it within ``lifetime``.
    func verifiedToken(
        _ digest: SHA256Digest, now: ContinuousClock.Instant
    ) -> VerifiedToken? {
        memory.withLock { $0.tokens.value(of: digest, now: now) }
    }

    /// Remembers a token whose signature one of these keys verified and whose claims are good.
    func keep(_ token: VerifiedToken, of digest: SHA256Digest, now: ContinuousClock.Instant) {
        memory.withLock { $0.tokens.keep(token, of: digest, now: now) }
    }
}

/// What a good token says; its times are checked at each use.
struct VerifiedToken: Sendable {
    let user: Username
    let times: TokenTimes
}

struct PassedOverKey: Equatable, Sendable {
    let sentence: String
    let level: Logger.Level
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
