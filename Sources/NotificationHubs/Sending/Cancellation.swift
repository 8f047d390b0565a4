/// What became of taking a scheduled message back.
public enum Cancellation: Sendable, Hashable {
    /// It will not be sent.
    case cancelled
    /// The hub has no such message: it was sent, or cancelled before.
    case alreadyGone
}
