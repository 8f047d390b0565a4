/// What goes wrong.
package enum FaultEffect: Sendable, Hashable {
    /// Another answer, and no effect: a status of 400 to 599, with `Retry-After` in whole seconds.
    case answer(status: Int, retryAfter: Int?)
    /// The connection is closed without an answer, before or after the request took effect.
    case drop(takesEffect: Bool)
    /// There is no answer until the client goes away, before or after the request took effect.
    case hang(takesEffect: Bool)
    /// The answer comes later: by a time, and up to another time more, evenly spread.
    case latency(Duration, jitter: Duration)
    /// From this answer on the connection lets only so many bytes a second through.
    case slow(bytesPerSecond: Int)
    /// The push service does not know the handle of a device any more: a share of all devices, always the
    /// same ones for a seed.
    case wrongTokens
}
