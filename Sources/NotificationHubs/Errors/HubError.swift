/// An operation that the hub refused, or whose answer was lost.
///
/// Its text never has the key, the token or the message in it. What the hub wrote is cut and
/// cleaned.
///
/// ```swift
/// do {
///     _ = try await client.send(notification, to: tags)
/// } catch {
///     switch error.disposition {
///     case .retry(let delay): try await Task.sleep(for: delay ?? .seconds(5))
///     case .rejected, .stop: print(error)
///     case .unknown, .accepted: break  // sending again could deliver it twice
///     }
/// }
/// ```
public struct HubError: Error, Sendable, Hashable {
    /// What was done, such as `send` or `reading of a registration`.
    public let operation: String

    /// What this means for the message, or for whatever else was to be done.
    public let disposition: Disposition

    /// What went wrong, as a value to switch over.
    public let cause: Cause

    /// The status of the hub's answer; nil when there was none.
    public let status: Int?

    /// The `Code` of the hub's error body, where it had one.
    public let code: String?

    /// The `Detail` of the hub's error body, where it had one: up to 200 characters without
    /// controls.
    public let detail: String?

    /// The id to give when asking Microsoft about this request: the hub's, else the one that was
    /// sent; a word instead of one when nothing was.
    public let trackingID: String

    /// How long the hub asks to wait, 0 to 3,600 seconds; nil where it did not say.
    public let retryAfter: Duration?

    /// What happened, in a few words, such as `connection refused` or `HTTP 429`.
    public let reason: String

    /// Whether the hub says that what was named in it is not there; never the hub itself.
    public var isNotFound: Bool { status == 404 && disposition == .rejected }

    /// Whether the hub is sure not to have begun with the operation.
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
    /// What went wrong with an operation.
    ///
    /// ```swift
    /// do {
    ///     try await client.put(installation)
    /// } catch {
    ///     switch error.cause {
    ///     case .invalidRegistration(let fault): print("Correct the installation: \(fault)")
    ///     case .status(429), .noAnswer: print("Try it again later.")
    ///     default: print(error)
    ///     }
    /// }
    /// ```
    public enum Cause: Sendable, Hashable {
        /// The hub answered with a status that means no.
        case status(Int)
        /// There is no answer.
        case noAnswer(TransportFailure)
        /// The hub's answer cannot be used; ``HubError/reason`` says why.
        case unusableAnswer
        /// The registration or installation, or its id, is one that no hub takes. Nothing was sent.
        case invalidRegistration(RegistrationError)
        /// A message was to be scheduled farther ahead than hubs allow. Nothing was sent.
        case scheduledTooFarAhead
        /// The task was cancelled before the request. Nothing was sent.
        case cancelled
        /// The client had been shut down before.
        case alreadyShutDown
    }
}

extension HubError: CustomStringConvertible {
    /// What happened, what the hub wrote, and what to do.
    public var description: String {
        if case .invalidRegistration(let error) = cause {
            return "The \(operation) was not begun. \(error)"
        }
        if cause == .alreadyShutDown { return "The client had been shut down before." }
        let said = detail.map { " (\($0))" } ?? ""
        return "The \(operation) failed: \(reason)\(said). \(remedy) Tracking id: \(trackingID)."
    }

    private var refusal: String {
        switch status {
        case 404: "The hub does not have it; check the id."
        case 409: "It exists already, or is being changed too often."
        case 410: "It can no longer be used; ask for a new registration id."
        case 412: "It has been changed meanwhile; read it again and repeat the change."
        case 413: "Make the request smaller; a hub takes up to 64 KB."
        default: "Correct the request; the same again gets the same answer."
        }
    }

    private var remedy: String {
        switch disposition {
        case .accepted: "Nothing needs to be done."
        case .rejected: refusal
        case .retry: "Try it again later."
        case .unknown: "It may have taken effect."
        case .stop(.credentials):
            "Check the connection string's rule, key and rights, and this machine's clock."
        case .stop(.hubNotFound): "Check the hub's name."
        case .stop(.notAHub): "Check the endpoint in the connection string."
        }
    }
}

extension HubError {
    /// The error for a request that the hub answered with anything but yes.
    ///
    /// - Parameter answer: the hub's answer, whose body is read as far as it can be.
    init(refusedBy answer: HubAnswer) {
        let body = ErrorBody(answer.body, hiding: answer.secrets)
        self.init(
            operation: "send",
            disposition: Disposition(
                .answered(status: answer.status, retryAfter: answer.retryAfter)),
            cause: .status(answer.status), status: answer.status, code: body.code,
            detail: body.detail,
            trackingID: answer.supportID, retryAfter: answer.retryAfter?.delay,
            reason: "HTTP \(answer.status)")
    }

    /// The error for a request that has no answer.
    ///
    /// - Parameters:
    ///   - request: what was, or was to be, sent.
    ///   - failure: why there is none.
    init(noAnswerTo request: SendRequest, _ failure: TransportFailure) {
        self.init(
            operation: "send", disposition: Disposition(.failed(failure)),
            cause: .noAnswer(failure), status: nil, code: nil, detail: nil,
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

    /// The error for an operation that the hub did, and whose answer cannot be read.
    ///
    /// - Parameters:
    ///   - call: the operation.
    ///   - answer: the answer.
    ///   - reason: what is wrong with it, in a few words that repeat nothing of it.
    init(_ call: HubCall, answer: HubAnswer, reason: String) {
        self.init(
            operation: call.operation,
            disposition: call.isRepeatable ? .stop(.notAHub) : .unknown,
            cause: .unusableAnswer, status: answer.status,
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
            disposition: call.isRepeatable ? .retry(after: nil) : .unknown,
            cause: .unusableAnswer, status: answer.status,
            code: nil, detail: nil, trackingID: answer.supportID, retryAfter: nil,
            reason: "the answer is cut short")
    }

    /// The error for an operation of which nothing is sent.
    ///
    /// - Parameters:
    ///   - operation: what was to be done.
    ///   - cause: why not.
    init(notBegun operation: String, _ cause: Cause) {
        let reason =
            switch cause {
            case .invalidRegistration(let error): error.description
            case .scheduledTooFarAhead: "the time is more than 7 days ahead"
            case .cancelled: "the task was cancelled"
            case .alreadyShutDown: "the client had been shut down"
            case .noAnswer(let failure): failure.description
            case .status, .unusableAnswer: "nothing was sent"
            }
        self.init(
            operation: operation,
            disposition: cause == .cancelled ? .retry(after: nil) : .rejected, cause: cause,
            status: nil, code: nil, detail: nil, trackingID: "none, since nothing was sent",
            retryAfter: nil, reason: reason)
    }
}

/// The body of an error: `<Error><Code>404</Code><Detail>…</Detail></Error>` (reference: section
/// 8).
struct ErrorBody: Sendable, Hashable {
    /// The cleaned text of `Code`, where there is one.
    let code: String?

    /// The cleaned text of `Detail`, where there is one.
    let detail: String?

    /// The most bytes that are looked at.
    static let limit = 16 * 1_024

    /// Reads an error body, leniently: what cannot be read is nil, since the status already says
    /// enough.
    ///
    /// - Parameters:
    ///   - bytes: the body, possibly empty, cut short or no XML at all. One with a document type is
    ///     not looked into.
    ///   - secrets: what is hidden in its texts.
    init(_ bytes: [UInt8], hiding secrets: KnownSecrets) {
        let root = XMLElementReader.readBeginning(of: Array(bytes.prefix(Self.limit)))
        let error = root?.name == "Error" ? root : nil
        code = error?.text(of: "Code").flatMap { ForeignText.cleaned($0, hiding: secrets) }
        detail = error?.text(of: "Detail").flatMap { ForeignText.cleaned($0, hiding: secrets) }
    }
}
