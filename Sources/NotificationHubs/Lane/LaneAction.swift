import CampaignCore
import NIOCore

/// What a ``LaneMachine`` asks its owner to do.
enum LaneAction {
    /// Make a connection, and say ``LaneMachine/connected(_:isReady:now:)`` or ``LaneMachine/connectFailed(_:_:now:)``.
    case connect(LaneConnections.ID)
    /// Write the request of a push; where its page may not go out any more, say ``LaneMachine/withheld(_:now:)``.
    case write(LaneConnections.ID, OutgoingPage, index: Int, TrackingID)
    /// Close a connection, and say ``LaneMachine/closed(_:now:)`` once it is; abruptly: without the goodbye of TLS.
    case close(LaneConnections.ID, abruptly: Bool)
    case deliver(ResultBatch)
    /// Sign another token in place of the one that the hub refused.
    case renewToken
    /// Say ``LaneMachine/wake(now:)`` at an instant, and at none that was asked for before.
    case wake(at: NIODeadline)
    /// Say ``LaneMachine/sweep(now:answer:)`` after a time, and at no instant that was asked for before.
    case sweep(in: TimeAmount)
    /// Say neither.
    case stopTimers
    /// Write a line of the log, about a push of a run or of none.
    case log(TrackingID, RunID?, Event)
    /// Tell whoever waits for the shutdown that everything is closed.
    case finishShutdown

    enum Event: Hashable {
        case accepted
        /// The hub answered with anything else.
        case refused(status: Int)
        case unanswered(reason: String)
    }
}
