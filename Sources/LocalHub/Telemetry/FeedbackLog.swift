import struct Foundation.Date

/// The newest feedback of push services about handles.
struct FeedbackLog: Sendable {
    private let limit: Int
    private var ring: [FeedbackEntry] = []
    private var next = 0

    /// Makes an empty log.
    ///
    /// - Parameter limits: how much to keep.
    init(limits: LocalHubLimits) {
        limit = limits.feedback
    }

    /// The entries, oldest first.
    var entries: [FeedbackEntry] {
        Array(ring[next...] + ring[..<next])
    }

    /// Notes what became of a push, if it says something about the handle.
    ///
    /// - Parameters:
    ///   - result: what became of it.
    ///   - notificationID: the notification.
    ///   - time: the hub's time.
    mutating func add(_ result: PushResult, of notificationID: String, at time: Date) {
        guard [.wrongToken, .badChannel, .expiredChannel].contains(result.outcome) else { return }
        let registration = result.target.registration
        let entry = FeedbackEntry(
            time: time, outcome: result.outcome, device: result.target.device,
            registrationID: registration?.id, installationID: registration?.installationID,
            notificationID: notificationID)
        guard ring.count == limit else { return ring.append(entry) }
        ring[next] = entry
        next = (next + 1) % limit
    }
}
