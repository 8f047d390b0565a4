/// The error of an operation that the hub refused, or whose response was lost.
///
/// Its text never contains the key, the token or the content of the message. To decide what to do,
/// switch over ``disposition``.
public struct HubError: Error, Sendable, Hashable {
    /// The operation, such as `send` or `reading of a registration`.
    public let operation: String

    /// What to do with the message or the operation.
    public let disposition: Disposition

    /// The cause, which you can switch over.
    public let cause: Cause

    /// The HTTP status of the hub's response; nil if there was no response.
    public let status: Int?

    /// The `Code` of the hub's error body, if it has one.
    public let code: String?

    /// The `Detail` of the hub's error body: up to 200 characters without control characters.
    public let detail: String?

    /// The id to give to Microsoft's support: the hub's, or the one sent with the request; a short
    /// explanation if nothing was sent.
    public let trackingID: String

    /// How long the hub asks the client to wait, 0 to 3,600 seconds; nil if the hub did not specify
    /// a time.
    public let retryAfter: Duration?

    /// A short description, such as `connection refused` or `HTTP 429`.
    public let reason: String

    /// Whether the item is missing from the hub; false if the hub itself is missing.
    public var isNotFound: Bool { status == 404 && disposition == .rejected }

    /// Whether it is certain that the hub did not start the operation.
    var hasHadNoEffect: Bool {
        switch cause {
        case .status(let status): status == 429 || retryAfter != nil
        case .noAnswer(let failure): !failure.requestBegan
        case .unusableAnswer: false
        case .invalidRegistration, .scheduledTooFarAhead, .cancelled, .alreadyShutDown: true
        }
    }
}

extension HubError {
    /// The cause of a failed operation.
    public enum Cause: Sendable, Hashable {
        /// The hub returned an error status.
        case status(Int)
        /// The hub did not respond.
        case noAnswer(TransportFailure)
        /// The hub's response cannot be used; ``HubError/reason`` says why.
        case unusableAnswer
        /// The registration, the installation or its id is not valid. Nothing was sent.
        case invalidRegistration(RegistrationError)
        /// The scheduled time is farther ahead than hubs allow. Nothing was sent.
        case scheduledTooFarAhead
        /// The task was cancelled before the request was sent. Nothing was sent.
        case cancelled
        /// The client has been shut down.
        case alreadyShutDown
    }
}

extension HubError: CustomStringConvertible {
    /// A description of the problem, including the hub's explanation and what to do.
    public var description: String {
        if case .invalidRegistration(let error) = cause {
            return "Nothing was sent (\(operation)). \(error)"
        }
        if cause == .alreadyShutDown { return "The client has been shut down." }
        let said = detail.map { " (\($0))" } ?? ""
        return "The \(operation) failed: \(reason)\(said). \(remedy) Tracking id: \(trackingID)."
    }

    private var refusal: String {
        switch status {
        case 404: "The hub has no such item; check the id."
        case 409: "The item already exists, or it is being changed too often."
        case 410: "The id can no longer be used; request a new registration id."
        case 412: "The item has changed since it was read; read it again and repeat the change."
        case 413: "Make the request smaller; the limit is 64 KB."
        default: "Correct the request before sending it again."
        }
    }

    private var remedy: String {
        switch disposition {
        case .accepted: "Nothing needs to be done."
        case .rejected: refusal
        case .retry: "Try again later."
        case .unknown: "The operation may have taken effect."
        case .stop(.quota): "Wait until the quota is renewed, or choose a higher tier."
        case .stop(.credentials):
            "Check the connection string's rule, key and rights, and this machine's clock."
        case .stop(.hubNotFound): "Check the hub's name."
        case .stop(.notAHub): "Check the endpoint in the connection string."
        }
    }
}

extension HubError {
    init(refusedBy answer: HubAnswer) {
        let body = ErrorBody(answer.body, hiding: answer.secrets)
        self.init(
            operation: "send",
            disposition: Disposition(
                .answered(status: answer.status, retryAfter: answer.retryAfter),
                detail: body.detail),
            cause: .status(answer.status), status: answer.status, code: body.code,
            detail: body.detail,
            trackingID: answer.supportID, retryAfter: answer.retryAfter?.delay,
            reason: "HTTP \(answer.status)")
    }

    init(noAnswerTo request: SendRequest, _ failure: TransportFailure) {
        self.init(
            operation: "send", disposition: Disposition(.failed(failure)),
            cause: .noAnswer(failure), status: nil, code: nil, detail: nil,
            trackingID: request.trackingID, retryAfter: nil, reason: failure.description)
    }

    init(_ call: HubCall, trackingID: String, ending: ExchangeEnding, answer: HubAnswer?) {
        let body = answer.map { ErrorBody($0.body, hiding: $0.secrets) }
        let (cause, reason): (Cause, String) =
            switch ending {
            case .answered(let status, _): (.status(status), "HTTP \(status)")
            case .failed(let failure): (.noAnswer(failure), failure.description)
            }
        self.init(
            operation: call.operation,
            disposition: Disposition(ending, of: call, detail: body?.detail), cause: cause,
            status: answer?.status, code: body?.code, detail: body?.detail,
            trackingID: answer?.trackingID ?? trackingID, retryAfter: answer?.retryAfter?.delay,
            reason: reason)
    }

    /// The operation succeeded, but the response cannot be read; the reason must not contain any of
    /// the response.
    init(_ call: HubCall, answer: HubAnswer, reason: String) {
        self.init(
            operation: call.operation,
            disposition: call.isRepeatable ? .stop(.notAHub) : .unknown,
            cause: .unusableAnswer, status: answer.status,
            code: nil, detail: nil, trackingID: answer.supportID,
            retryAfter: nil, reason: reason)
    }

    /// The operation succeeded, but the response was cut off.
    init(_ call: HubCall, cutShort answer: HubAnswer) {
        self.init(
            operation: call.operation,
            disposition: call.isRepeatable ? .retry(after: nil) : .unknown,
            cause: .unusableAnswer, status: answer.status,
            code: nil, detail: nil, trackingID: answer.supportID, retryAfter: nil,
            reason: "the response was cut off")
    }

    init(notBegun operation: String, _ cause: Cause) {
        let reason =
            switch cause {
            case .invalidRegistration(let error): error.description
            case .scheduledTooFarAhead: "the time is more than 7 days in the future"
            case .cancelled: "the task was cancelled"
            case .alreadyShutDown: "the client has been shut down"
            case .noAnswer(let failure): failure.description
            case .status, .unusableAnswer: "nothing was sent"
            }
        self.init(
            operation: operation,
            disposition: cause == .cancelled ? .retry(after: nil) : .rejected, cause: cause,
            status: nil, code: nil, detail: nil, trackingID: "none, because nothing was sent",
            retryAfter: nil, reason: reason)
    }
}

/// The body of an error: `<Error><Code>404</Code><Detail>…</Detail></Error>`.
struct ErrorBody: Sendable, Hashable {
    let code: String?

    let detail: String?

    static let limit = 16 * 1_024

    /// Reads an error body leniently: parts that cannot be read are nil, because the status is
    /// sufficient.
    init(_ bytes: [UInt8], hiding secrets: KnownSecrets) {
        let root = XMLElementReader.readBeginning(of: Array(bytes.prefix(Self.limit)))
        let error = root?.name == "Error" ? root : nil
        code = error?.text(of: "Code").flatMap { ForeignText.cleaned($0, hiding: secrets) }
        detail = error?.text(of: "Detail").flatMap { ForeignText.cleaned($0, hiding: secrets) }
    }
}
