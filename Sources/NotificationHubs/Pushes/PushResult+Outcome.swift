import CampaignCore
import NIOCore
import NIOHTTP1

extension PushResult {
    /// Says in the engine's words what became of a push.
    ///
    /// - Parameters:
    ///   - number: the push's number.
    ///   - outcome: what the client says.
    init(number: Int, _ outcome: SendOutcome) {
        switch outcome.result {
        case .success(let receipt):
            self.init(
                number: number, disposition: .accepted, hubMessage: receipt.messageID,
                requests: outcome.requests)
        case .failure(let error):
            self.init(
                number: number, disposition: PushDisposition(error), detail: error.summary,
                requests: outcome.requests)
        }
    }

    /// Says that no request was made for a push, and why.
    init(number: Int, _ failure: TransportFailure) {
        let request = SendRequest(trackingID: "", headers: [:], body: ByteBuffer())
        self.init(
            number: number,
            SendOutcome(
                result: .failure(HubError(noAnswerTo: request, failure)), requests: 0))
    }

    /// Refuses a push whose recipients form no tag expression, before anything is sent.
    init(number: Int, _ error: TagError) {
        self.init(
            number: number, disposition: .rejected, detail: error.description, requests: 0)
    }
}

extension PushDisposition {
    /// The engine's word for a failure's disposition.
    init(_ error: HubError) {
        self =
            switch error.disposition {
            case .accepted: .accepted
            case .rejected: .rejected
            case .retry(let delay):
                .retry(after: delay, cause: error.status == nil ? .unreachable : .throttled)
            case .unknown: .unknown
            case .stop(.credentials): .stop(.credentials)
            case .stop(.hubNotFound): .stop(.hubNotFound)
            case .stop(.notAHub): .stop(.notAHub)
            }
    }
}

extension HubError {
    /// Status and what the hub wrote, in up to 200 characters.
    var summary: String {
        let text = [reason, detail].compactMap(\.self).joined(separator: ": ")
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(ForeignText.limit)))
    }
}
