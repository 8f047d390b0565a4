import HTTPTypes

import struct Foundation.Date

/// The scheduled sends of a hub that are waiting, limited in number and size.
struct ScheduledSends: Sendable {
    private let mostSends: Int
    private let mostBytes: Int
    /// The sends, latest first.
    private var waiting: [ScheduledSend] = []
    private var bytes = 0

    init(limits: LocalHubLimits) {
        mostSends = limits.scheduledSends
        mostBytes = limits.scheduledBytes
    }

    /// The sends, ordered by time.
    var all: [ScheduledSend] { waiting.reversed() }

    var nextDue: Date? { waiting.last?.due }

    subscript(id: String) -> ScheduledSend? { waiting.first { $0.id == id } }

    /// Adds a send with a new id; throws a 403 if the limit is reached.
    mutating func add(_ send: ScheduledSend) throws(HubFailure) {
        guard waiting.count < mostSends, bytes + send.size <= mostBytes else {
            throw .tooManyScheduledSends
        }
        let index = waiting.firstIndex { ($0.due, $0.id) < (send.due, send.id) }
        waiting.insert(send, at: index ?? waiting.endIndex)
        bytes += send.size
    }

    /// Removes and returns a send; nil if the id is unknown or the send has been performed.
    mutating func remove(id: String) -> ScheduledSend? {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        let send = waiting.remove(at: index)
        bytes -= send.size
        return send
    }

    /// Removes and returns the next due send; nil if none is due.
    mutating func takeDue(at now: Date) -> ScheduledSend? {
        guard let next = waiting.last, next.due <= now else { return nil }
        waiting.removeLast()
        bytes -= next.size
        return next
    }
}

extension HubFailure {
    static let tooManyScheduledSends = HubFailure(
        status: .forbidden,
        detail: "The local hub cannot store any more scheduled sends; cancel some, or wait.")
}

struct ScheduledSend: Sendable, Hashable, Codable {
    let id: String
    /// When the hub accepted the send.
    let enqueued: Date
    let due: Date
    let send: SendRequest

    /// The entry in telemetry; `sent` is nil until the send is performed.
    func record(sent: Date?) -> NotificationRecord {
        NotificationRecord(id: id, send: send, enqueued: enqueued, sent: sent, wasScheduled: true)
    }

    /// The approximate size in memory, in bytes.
    var size: Int { record(sent: nil).size }
}
