import Synchronization

/// The tokens whose signatures have been found good, so that each is computed once and not for every request.
///
/// Only good ones are kept, by the whole header: nobody gets in here by guessing. Whether a token has expired or
/// is for another address is not kept, and asked each time.
final class ProvenTokens: Sendable {
    /// The most tokens kept: a client has one for each rule and audience, and a new one now and then.
    static let limit = 1_024

    private let proofs = Mutex<[String: TokenProof]>([:])

    /// What a header proves; nil when it is not known.
    subscript(header: String) -> TokenProof? {
        proofs.withLock { $0[header] }
    }

    /// How many tokens are kept.
    var count: Int { proofs.withLock(\.count) }

    /// Keeps a token; when there are too many, all others are forgotten.
    ///
    /// - Parameters:
    ///   - proof: what its signature proves.
    ///   - header: the whole value of `Authorization`.
    func keep(_ proof: TokenProof, of header: String) {
        proofs.withLock { proofs in
            if proofs.count >= Self.limit { proofs.removeAll(keepingCapacity: true) }
            proofs[header] = proof
        }
    }
}
