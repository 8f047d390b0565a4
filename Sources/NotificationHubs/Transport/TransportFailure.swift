/// Why there is no answer to a request.
struct TransportFailure: Error, Sendable, Hashable {
    /// What went wrong.
    enum Cause: Sendable, Hashable {
        /// Nothing listens at the address.
        case connectionRefused
        /// The host's name has no address.
        case nameNotResolved
        /// The address cannot be reached, with the system's error number.
        case unreachable(Int32)
        /// No connection was made, or none became free, in time.
        case noConnectionInTime
        /// TLS was not agreed on.
        case tlsHandshake
        /// The server's certificate is not trusted or is for another host.
        case certificateRefused
        /// The connection ended.
        case connectionLost
        /// The time for the whole request ran out.
        case timedOut
        /// What came back is no HTTP, or too much of it.
        case malformedAnswer
        /// The client had been shut down.
        case shutDown
        /// The request could not be written as HTTP.
        case invalidRequest
    }

    /// What went wrong.
    let cause: Cause

    /// Whether the request's first bytes were on their way.
    ///
    /// False is a promise: the hub saw nothing of it.
    let requestBegan: Bool

    /// Names a failure.
    ///
    /// - Parameters:
    ///   - cause: what went wrong.
    ///   - requestBegan: whether the request's first bytes were on their way.
    init(cause: Cause, requestBegan: Bool = false) {
        self.cause = cause
        self.requestBegan = requestBegan
    }
}

extension TransportFailure: CustomStringConvertible {
    /// What happened, in a few words.
    var description: String {
        switch cause {
        case .connectionRefused: "connection refused"
        case .nameNotResolved: "the host's name was not resolved"
        case .unreachable(let number): "the host was not reached (error number \(number))"
        case .noConnectionInTime: "no connection in time"
        case .tlsHandshake: "the TLS handshake failed"
        case .certificateRefused: "the server's TLS certificate is not trusted for this host"
        case .connectionLost: "the connection was lost"
        case .timedOut: "no answer in time"
        case .malformedAnswer: "the answer is not one of HTTP's"
        case .shutDown: "the client had been shut down"
        case .invalidRequest: "the request could not be written"
        }
    }
}
