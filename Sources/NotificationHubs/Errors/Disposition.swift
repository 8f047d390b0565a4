/// What an answer, or the lack of one, means for the message that was sent.
public enum Disposition: Sendable, Hashable {
    /// The hub took it.
    case accepted
    /// The hub refused it for good; sending it again gets the same answer.
    case rejected
    /// The hub did not take it and will, later: after the given time, where the hub named one.
    case retry(after: Duration?)
    /// It may have gone out. Sending it again can deliver it twice.
    case unknown
    /// The hub did not take it, nor will it take any other, until somebody corrects something.
    case stop(StopReason)
}
