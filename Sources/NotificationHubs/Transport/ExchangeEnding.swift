/// How one request ended.
enum ExchangeEnding: Sendable, Hashable {
    /// The hub answered.
    case answered(status: Int, retryAfter: RetryAfter?)
    /// There is no answer.
    case failed(TransportFailure)
}
