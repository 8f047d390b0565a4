/// What a stop leaves of a run.
package enum StopMode: Hashable, Sendable {
    /// `resume` can continue it.
    case resumable
    /// It is finished: what has no outcome stays `not_attempted` for good.
    case final
    /// The same, and its payloads are taken back: what has no outcome is `skipped` as revoked.
    case revoking
}
