/// Gets public documents from the web, unchecked, such as keys for tokens.
package protocol DocumentSource: Sendable {
    /// Gets a document once, without following redirects.
    ///
    /// `address` is https; plain `http://` only for this machine. `limit` is in bytes.
    func document(
        at address: String, limit: Int, within time: Duration
    ) async throws(DocumentFault) -> [UInt8]
}

package enum DocumentFault: Error, Hashable, Sendable, CustomStringConvertible {
    case unusableAddress
    case noAnswer(reason: String)
    case refused(status: Int)
    case tooLarge(limit: Int)

    package var description: String {
        switch self {
        case .unusableAddress:
            "the address cannot be called; it begins with https://, or with http:// on this machine"
        case .noAnswer(let reason): reason
        case .refused(let status): "it answered with status \(status)"
        case .tooLarge(let limit): "it has more than \(limit) bytes"
        }
    }
}
