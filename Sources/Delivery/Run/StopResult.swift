package import FoundationEssentials

/// What a request to stop a run came to.
package enum StopResult: Hashable, Sendable {
    /// It is stopped, and stays so until it is resumed.
    case stopped
    /// It was stopped before.
    case alreadyStopped
    /// It finished before the request reached it.
    case finished
    /// Nobody works on it and it was never staged: it stops as soon as a `run` has staged it, before anything is sent.
    case stopsOnceStaged
    /// It is finished for good, whatever was left of it.
    case ended
    /// The same, and no device can fetch its payloads any more.
    case revoked
    /// Its payloads were taken back before, and there was nothing left to do.
    case alreadyRevoked(Date)
}
