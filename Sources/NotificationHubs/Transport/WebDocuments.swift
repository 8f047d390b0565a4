package import CampaignCore

/// Fetches documents with ``WebCall``.
package struct WebDocuments: DocumentSource {
    private let userAgent: String

    package init(userAgent: String) {
        self.userAgent = userAgent
    }

    package func document(
        at address: String, limit: Int, within time: Duration
    ) async throws(DocumentError) -> [UInt8] {
        guard let call = WebCall(address, userAgent: userAgent) else { throw .unusableAddress }
        do throws(WebCall.Failure) {
            return try await call.content(limit: limit, within: time)
        } catch {
            switch error {
            case .unusableAddress: throw .unusableAddress
            case .noAnswer: throw .noAnswer(reason: "\(error)")
            case .refused(let status): throw .refused(status: status)
            case .tooLarge: throw .tooLarge(limit: limit)
            }
        }
    }
}
