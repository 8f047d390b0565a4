import CampaignCore

extension PushResult {
    /// The result of a push for which no request was made.
    init(notBegun push: borrowing Push, _ failure: TransportFailure) {
        self.init(
            number: push.number, disposition: PushDisposition(failure), detail: failure.summary,
            requests: 0)
    }
}

extension PushDisposition {
    init(_ failure: TransportFailure) {
        self.init(Disposition(.failed(failure)), isAnswered: false)
    }

    init(_ disposition: Disposition, isAnswered: Bool) {
        self =
            switch disposition {
            case .accepted: .accepted
            case .rejected: .rejected
            case .retry(let delay):
                .retry(after: delay, cause: isAnswered ? .throttled : .unreachable)
            case .unknown: .unknown
            case .stop(.quota): .stop(.quota)
            case .stop(.credentials): .stop(.credentials)
            case .stop(.hubNotFound): .stop(.hubNotFound)
            case .stop(.notAHub): .stop(.notAHub)
            }
    }
}

extension HubError {
    /// The status and the hub's explanation, up to 200 characters.
    var summary: String {
        ForeignText.cut([reason, detail].compactMap(\.self).joined(separator: ": "))
    }
}

extension TransportFailure {
    /// The text, up to 200 characters.
    var summary: String { ForeignText.cut(description) }
}
