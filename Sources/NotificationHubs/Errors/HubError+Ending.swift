extension HubError {
    /// The error for a request that the hub answered with anything but yes.
    ///
    /// - Parameters:
    ///   - request: what was sent.
    ///   - answer: the hub's answer, whose body is read as far as it can be.
    ///   - disposition: what the answer means.
    init(_ request: SendRequest, _ answer: HubAnswer, _ disposition: Disposition) {
        let body = ErrorBody(answer.body, hiding: answer.secrets)
        self.init(
            operation: "send", disposition: disposition, status: answer.status, code: body.code,
            detail: body.detail,
            trackingID: answer.trackingID ?? request.trackingID,
            retryAfter: answer.retryAfter?.delay, reason: "HTTP \(answer.status)")
    }

    /// The error for a request that has no answer.
    ///
    /// - Parameters:
    ///   - request: what was, or was to be, sent.
    ///   - failure: why there is none.
    init(noAnswerTo request: SendRequest, _ failure: TransportFailure) {
        self.init(
            operation: "send", disposition: Disposition(.failed(failure)), status: nil, code: nil,
            detail: nil,
            trackingID: request.trackingID, retryAfter: nil, reason: failure.description)
    }

    /// The error for an operation that did not end with an answer that it accepts.
    ///
    /// - Parameters:
    ///   - call: the operation.
    ///   - trackingID: the request's own id.
    ///   - ending: how it ended.
    ///   - answer: the hub's answer, where there is one.
    init(_ call: HubCall, trackingID: String, ending: ExchangeEnding, answer: HubAnswer?) {
        let body = answer.map { ErrorBody($0.body, hiding: $0.secrets) }
        let reason: String
        switch ending {
        case .answered(let status, _): reason = "HTTP \(status)"
        case .failed(let failure): reason = failure.description
        }
        self.init(
            operation: call.operation,
            disposition: Disposition(ending, of: call, detail: body?.detail),
            status: answer?.status, code: body?.code, detail: body?.detail,
            trackingID: answer?.trackingID ?? trackingID, retryAfter: answer?.retryAfter?.delay,
            reason: reason)
    }

    /// The error for an operation that the hub did, and whose answer nobody can understand.
    ///
    /// - Parameters:
    ///   - call: the operation.
    ///   - answer: the answer.
    ///   - reason: what is wrong with it, in a few words that repeat nothing of it.
    init(_ call: HubCall, answer: HubAnswer, reason: String) {
        self.init(
            operation: call.operation,
            disposition: call.isRepeatable ? .stop(.notAHub) : .unknown, status: answer.status,
            code: nil, detail: nil, trackingID: answer.supportID,
            retryAfter: nil, reason: reason)
    }

    /// The error for an operation that the hub did, and whose answer ended before its body did.
    ///
    /// - Parameters:
    ///   - call: the operation.
    ///   - answer: as much of the answer as came.
    init(_ call: HubCall, cutShort answer: HubAnswer) {
        self.init(
            operation: call.operation,
            disposition: call.isRepeatable ? .retry(after: nil) : .unknown, status: answer.status,
            code: nil, detail: nil, trackingID: answer.supportID, retryAfter: nil,
            reason: "the answer is cut short")
    }

    /// The error for an operation that is not begun.
    ///
    /// - Parameters:
    ///   - call: the operation.
    ///   - reason: why not.
    init(refusing call: HubCall, reason: String) {
        self.init(
            operation: call.operation, disposition: .rejected, status: nil, code: nil, detail: nil,
            trackingID: "none, since nothing was sent", retryAfter: nil, reason: reason)
    }
}
