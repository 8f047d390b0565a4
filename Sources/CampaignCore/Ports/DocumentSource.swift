/// Gets public documents from the web, such as keys for tokens.
///
/// The content is not checked.
package protocol DocumentSource: Sendable {
    /// Gets a document once, without following redirects.
    ///
    /// `address` is https; plain `http://` is only accepted for this machine. `limit` is in bytes.
    func document(
        at address: String, limit: Int, within time: Duration
    ) async throws(DocumentError) -> [UInt8]
}

package enum DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    case unusableAddress
    case noAnswer(reason: String)
    case refused(status: Int)
    case tooLarge(limit: Int)

    package var description: String {
        switch self {
        case .unusableAddress:
            "the address is not usable; use https://, or http:// for this machine"
        case .noAnswer(let reason): reason
        case .refused(let status): "it answered with status \(status)"
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        }
    }
}
