/// What a stop leaves of a run; a greater one stands against a lesser.
package enum StopMode: Int, CaseIterable, Hashable, Sendable {
    /// `resume` can continue it.
    case resumable = 1
    /// It is finished: what has no outcome stays `not_attempted` for good.
    case final = 2
    /// The same, and its payloads are taken back: what has no outcome is `skipped` as revoked.
    case revoking = 3
}
