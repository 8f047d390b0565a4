import Foundation

/// What telemetry says of a notification at a moment.
struct NotificationDetails: Equatable {
    /// How far it has come.
    let state: NotificationState
    /// When its processing began; nil: not yet.
    var start: Date?
    /// When its processing ended; nil: not yet.
    var end: Date?

    /// Finds out how far a notification has come, from the clock alone; nil when it has not progressed yet.
    ///
    /// The pushes themselves go out at once. What telemetry shows of them takes its time as the service's
    /// does: for a third of the delay the notification is not known yet, for the next it is enqueued, for
    /// the last in process.
    ///
    /// - Parameters:
    ///   - record: the notification.
    ///   - now: the hub's time.
    ///   - delay: how long after the send its final state shows.
    init?(of record: NotificationRecord, at now: Date, delay: Duration) {
        guard let sent = record.sent else {
            state = .canceled
            return
        }
        let delay = delay / .seconds(1)
        let elapsed = now.timeIntervalSince(sent)
        // What has been seen as scheduled is not unknown afterwards.
        guard elapsed >= delay / 3 || delay <= 0 || record.wasScheduled else { return nil }
        guard elapsed >= delay * 2 / 3 || delay <= 0 else {
            state = .enqueued
            return
        }
        start = sent + delay * 2 / 3
        guard elapsed >= delay || delay <= 0 else {
            state = .processing
            return
        }
        end = sent + delay
        state = record.tallies.isEmpty ? .noTargetFound : .completed
    }

    /// A notification that waits for its time.
    static let scheduled = NotificationDetails(state: .scheduled)

    private init(state: NotificationState) {
        self.state = state
    }
}
