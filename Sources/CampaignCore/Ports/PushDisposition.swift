/// What an answer of the hub, or its absence, means for a push.
package enum PushDisposition: Hashable, Sendable {
    /// The hub took it.
    case accepted
    /// Never again.
    case rejected
    /// It did not go out; try again, not before the delay has passed.
    case retry(after: Duration?, cause: RetryCause)
    /// It may have gone out.
    case unknown
    /// It did not go out, and no other will: the run has to end.
    case stop(StopCause)
    /// The sender was cancelled before it began.
    case notSent

    package enum RetryCause: Hashable, Sendable {
        /// The hub asked for patience.
        case throttled
        /// No connection came about.
        case unreachable
    }

    package enum StopCause: Hashable, Sendable {
        /// Key or rule refused, also after a token renewal.
        case credentials
        /// The namespace has no hub of that name.
        case hubNotFound
        /// What answers is not a notification hub, or its certificate cannot be trusted.
        case notAHub
    }
}
