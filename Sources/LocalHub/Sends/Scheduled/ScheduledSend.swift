import struct Foundation.Date

/// A send that waits for its time.
struct ScheduledSend: Sendable, Hashable, Codable {
    /// The id.
    let id: String
    /// When the hub took it.
    let enqueued: Date
    /// When it is to go out.
    let due: Date
    /// The send.
    let send: SendRequest

    /// What telemetry keeps of it.
    ///
    /// - Parameter sent: when it went out; nil: not yet, or never.
    /// - Returns: the record.
    func record(sent: Date?) -> NotificationRecord {
        NotificationRecord(id: id, send: send, enqueued: enqueued, sent: sent, wasScheduled: true)
    }

    /// Roughly what it takes of memory, in bytes.
    var size: Int { record(sent: nil).size }
}
