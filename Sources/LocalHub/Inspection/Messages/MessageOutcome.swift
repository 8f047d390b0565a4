/// Which messages a list shows, by what became of them.
enum MessageOutcome: String, Sendable {
    /// Those that reached their device.
    case arrived
    /// Those that a push service refused.
    case refused

    /// Whether a send has a push among them.
    func includes(_ record: NotificationRecord) -> Bool {
        (self == .arrived ? record.arrived : record.refused) > 0
    }

    /// Whether a push is one of them.
    func includes(_ push: ReceivedPush) -> Bool {
        (push.outcome == .success) == (self == .arrived)
    }
}
