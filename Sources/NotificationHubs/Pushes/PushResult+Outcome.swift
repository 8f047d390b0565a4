import CampaignCore

extension PushResult {
    /// Says that no request was made for a push, and why.
    init(notBegun push: borrowing Push, _ failure: TransportFailure) {
        self.init(
            number: push.number, disposition: PushDisposition(failure), detail: failure.summary,
            requests: 0)
    }
}

extension PushDisposition {
    /// The engine's word for a request without an answer.
    init(_ failure: TransportFailure) {
        self.init(Disposition(.failed(failure)), isAnswered: false)
    }

    /// The engine's word for a disposition.
    ///
    /// - Parameters:
    ///   - disposition: what a request came to.
    ///   - isAnswered: whether that is what the hub said.
    init(_ disposition: Disposition, isAnswered: Bool) {
        self =
            switch disposition {
            case .accepted: .accepted
            case .rejected: .rejected
            case .retry(let delay):
                .retry(after: delay, cause: isAnswered ? .throttled : .unreachable)
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
        ForeignText.cut([reason, detail].compactMap(\.self).joined(separator: ": "))
    }
}

extension TransportFailure {
    /// What happened, in up to 200 characters.
    var summary: String { ForeignText.cut(description) }
}
