extension Disposition {
    /// Says what the end of a request means: the one place where that is decided (reference:
    /// section 8).
    ///
    /// Retried are only answers by which the hub says that it did not take the message, and
    /// failures before the request began. Everything else that is neither yes nor no is unknown.
    ///
    /// - Parameter ending: how the request ended. A 401 here is one that a renewed token did not
    ///   mend.
    init(_ ending: ExchangeEnding) {
        switch ending {
        case .answered(let status, let retryAfter):
            self = Self.answer(status, retryAfter)
        case .failed(let failure):
            self = Self.failure(failure)
        }
    }

    /// Says what the end of an operation means.
    ///
    /// What can be done twice without harm is never unknown. A 404 speaks of the hub only when nothing
    /// within it was asked for.
    ///
    /// - Parameters:
    ///   - ending: how the request ended.
    ///   - call: the operation.
    ///   - detail: what the hub wrote, which names a hub that is not there.
    init(_ ending: ExchangeEnding, of call: HubCall, detail: String? = nil) {
        self.init(ending)
        if call.isRepeatable, self == .unknown { self = .retry(after: nil) }
        // A status that the operation does not accept, such as 201 to a deletion.
        if self == .accepted { self = call.isRepeatable ? .rejected : .unknown }
        let isHub = detail?.contains("No service is hosted at the specified address") ?? false
        if call.namesItem, self == .stop(.hubNotFound), !isHub { self = .rejected }
    }

    private static func answer(_ status: Int, _ retryAfter: RetryAfter?) -> Self {
        switch status {
        case 200, 201: .accepted
        case 300...399: .stop(.notAHub)
        case 401: .stop(.credentials)
        // Older versions of the service throttle with 403; a missing right is a 403 without the
        // header.
        case 403: retryAfter.map { .retry(after: $0.delay) } ?? .stop(.credentials)
        case 404: .stop(.hubNotFound)
        case 408: .unknown
        case 429: .retry(after: retryAfter?.delay)
        case 400...499: .rejected
        case 503: retryAfter.map { .retry(after: $0.delay) } ?? .unknown
        default: .unknown
        }
    }

    private static func failure(_ failure: TransportFailure) -> Self {
        if failure.requestBegan { return .unknown }
        return switch failure.cause {
        case .certificateRefused: .stop(.notAHub)
        case .invalidRequest: .rejected
        case .connectionRefused, .nameNotResolved, .unreachable, .noConnectionInTime, .tlsHandshake,
            .proxyWantsCredentials, .proxyRefused, .connectionLost, .timedOut, .malformedAnswer,
            .shutDown:
            .retry(after: nil)
        }
    }
}
