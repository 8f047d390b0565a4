/// How the work on a run ended.
package enum RunEnd: Hashable, Sendable {
    /// Every delivery has an outcome.
    case finished
    /// The run was finished before; nothing was sent.
    case alreadyFinished
    /// `hubsend stop` asked for it; only `resume` continues.
    case stopped
    /// `hubsend stop` ended it for good, and something was left of it.
    case ended
    /// Something got in the way; a rerun continues. The reason is a sentence.
    case paused(PauseCause, reason: String)
}
