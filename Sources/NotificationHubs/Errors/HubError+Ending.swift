extension HubError {
    /// The error for a request that the hub answered with anything but yes.
    ///
    /// - Parameters:
    ///   - request: what was sent.
    ///   - answer: the hub's answer, whose body is read as far as it can be.
    ///   - disposition: what the answer means.
    init(_ request: SendRequest, _ answer: HubAnswer, _ disposition: Disposition) {
        let body = ErrorBody(answer.body)
        self.init(
            disposition: disposition, status: answer.status, code: body.code, detail: body.detail,
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
            disposition: Disposition(.failed(failure)), status: nil, code: nil, detail: nil,
            trackingID: request.trackingID, retryAfter: nil, reason: failure.description)
    }
}
