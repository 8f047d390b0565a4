import CampaignCore
import HTTPServing
import Logging

/// Keys from the config, or from the set that it names, found by `kid`.
struct TokenKeys: Sendable {
    /// By `kid`; the empty one is for tokens without.
    ///
    /// A set may have several keys with one name, or without.
    private let verifiers: [String: [TokenVerifier]]
    /// The algorithms that tokens may use; nil means whatever the named key is for.
    private let algorithms: [String]?
    /// Why keys of the set are not used.
    let passedOver: [PassedOverKey]

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
        passedOver = []
    }

    /// Reads a set; throws when no key in it can be used with the algorithms.
    init(keySet bytes: [UInt8], for algorithms: [TokenAlgorithm]) async throws(KeySetFault) {
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
        self.verifiers = verifiers
        self.algorithms = algorithms.map(\.rawValue)
        self.passedOver = passedOver
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
        let algorithm = token.header.algorithm
        if let algorithms, !algorithms.contains(algorithm) {
            throw .wrongAlgorithm(algorithm, expected: algorithms)
        }
        // An empty kid is not the same as none.
        guard token.header.keyID != "", let named = verifiers[token.header.keyID ?? ""] else {
            throw .unknownKey(token.header.keyID)
        }
        let fitting = named.filter { $0.algorithm.rawValue == algorithm }
        guard !fitting.isEmpty else {
            throw .wrongAlgorithm(algorithm, expected: named.map(\.algorithm.rawValue))
        }
        guard fitting.contains(where: { $0.isSignature(token.signature, of: token.signed) })
        else { throw .wrongSignature }
    }
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
