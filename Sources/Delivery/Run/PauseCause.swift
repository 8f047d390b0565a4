/// Why a run paused.
package enum PauseCause: Hashable, Sendable {
    /// The task was cancelled, as on SIGINT and SIGTERM.
    case cancelled
    /// The hub refused key or rule, also after a token renewal.
    case credentials
    /// The namespace has no hub of that name.
    case hubNotFound
    /// What answers is not a notification hub, or its certificate cannot be trusted.
    case notAHub
    /// No connection came about for as long as a push may be retried.
    case unreachable
    /// The hub asked for patience for as long as a push may be retried.
    case throttled
    /// Requests went out and no answer came.
    case unanswering
    /// Too large a share of the deliveries ended badly (`stop_when`).
    case tooManyFailures
}
