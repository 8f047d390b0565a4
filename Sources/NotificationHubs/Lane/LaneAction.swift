import CampaignCore
import NIOCore

/// An action that a ``LaneMachine`` requests from its owner.
enum LaneAction {
    /// Open a connection, and call ``LaneMachine/connected(_:isReady:now:)`` or
    /// ``LaneMachine/connectFailed(_:_:now:)``.
    case connect(LaneConnections.ID)
    /// Write the request of a push; if its page must no longer be sent, call
    /// ``LaneMachine/withheld(_:now:)``.
    case write(LaneConnections.ID, OutgoingPage, index: Int, TrackingID)
    /// Close a connection, then call ``LaneMachine/closed(_:now:)``; abruptly means without TLS's
    /// closing handshake.
    case close(LaneConnections.ID, abruptly: Bool)
    case deliver(ResultBatch)
    /// Sign a new token to replace the refused token.
    case renewToken
    /// Call ``LaneMachine/wake(now:)`` at an instant; this replaces earlier requests.
    case wake(at: NIODeadline)
    /// Call ``LaneMachine/sweep(now:answer:)`` after a time; this replaces earlier requests.
    case sweep(in: TimeAmount)
    /// Cancel both timers.
    case stopTimers
    /// Write a log line about a push, which may belong to a run.
    case log(TrackingID, RunID?, Event)
    /// Tell the caller of the shutdown that everything is closed.
    case finishShutdown

    enum Event: Hashable {
        case accepted
        /// The hub sent any other response.
        case refused(status: Int)
        case unanswered(reason: String)
    }
}
