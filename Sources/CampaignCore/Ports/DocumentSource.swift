/// Gets public documents from the web: for the backend the keys that tokens are checked with.
///
/// NotificationHubs implements it. What comes is for the caller to check.
package protocol DocumentSource: Sendable {
    /// Gets a document once, without following redirects.
    ///
    /// - Parameters:
    ///   - address: begins with `https://`; plain `http://` is for this machine only.
    ///   - limit: the most bytes that it may have.
    ///   - time: how long all of it may take.
    func document(
        at address: String, limit: Int, within time: Duration
    ) async throws(DocumentFault) -> [UInt8]
}

/// Why a document cannot be had.
package enum DocumentFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address may not be called.
    case unusableAddress
    /// There is no answer, or not all of it.
    case noAnswer(reason: String)
    /// The answer is another than the document.
    case refused(status: Int)
    /// It is larger than the caller will read.
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
