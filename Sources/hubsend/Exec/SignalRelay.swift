import Glibc

/// Decides what becomes of a signal to `hubsend hub exec` while its command runs.
struct SignalRelay {
    /// What to do with a signal.
    enum Step: Equatable {
        /// Nothing: the command has got it already.
        case leave
        /// Hand it on, and go on.
        case forward(Int32)
        /// Hand it on, and give the command a grace to end.
        case end(Int32)
        /// End the command at once.
        case kill
    }

    /// Whether the command was told to end.
    private(set) var isEnding = false

    /// Decides.
    ///
    /// - Parameters:
    ///   - signal: the signal's number.
    ///   - isForeground: whether the terminal's keys signal the whole process group that hubsend is
    ///     in.
    /// - Returns: what to do.
    mutating func step(for signal: Int32, isForeground: Bool) -> Step {
        switch signal {
        case SIGUSR1, SIGUSR2:
            return .forward(signal)
        case SIGINT where isForeground, SIGQUIT where isForeground:
            // The kernel sent it to the command too, which may be a shell that goes on after it.
            return .leave
        default:
            defer { isEnding = true }
            return isEnding ? .kill : .end(signal)
        }
    }
}
