import HTTPTypes

import struct Foundation.Date

/// The sends of a hub that wait for their time, bounded in number and bytes.
struct ScheduledSends: Sendable {
    private let mostSends: Int
    private let mostBytes: Int
    /// The latest first.
    private var waiting: [ScheduledSend] = []
    private var bytes = 0

    init(limits: LocalHubLimits) {
        mostSends = limits.scheduledSends
        mostBytes = limits.scheduledBytes
    }

    /// By time.
    var all: [ScheduledSend] { waiting.reversed() }

    var nextDue: Date? { waiting.last?.due }

    subscript(id: String) -> ScheduledSend? { waiting.first { $0.id == id } }

    /// Adds a send, whose id is new; throws a 403 when the hub keeps as many as it can.
    mutating func add(_ send: ScheduledSend) throws(HubFailure) {
        guard waiting.count < mostSends, bytes + send.size <= mostBytes else {
            throw .tooManyScheduledSends
        }
        let place = waiting.firstIndex { ($0.due, $0.id) < (send.due, send.id) }
        waiting.insert(send, at: place ?? waiting.endIndex)
        bytes += send.size
    }

    /// Takes a send back; nil when there is none of the id, or it has gone out.
    mutating func remove(id: String) -> ScheduledSend? {
        guard let place = waiting.firstIndex(where: { $0.id == id }) else { return nil }
        let send = waiting.remove(at: place)
        bytes -= send.size
        return send
    }

    /// Takes the next send whose time has come; nil when none is due.
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
        detail: "The local hub keeps no more scheduled sends; cancel some, or wait.")
}

struct ScheduledSend: Sendable, Hashable, Codable {
    let id: String
    /// When the hub took it.
    let enqueued: Date
    let due: Date
    let send: SendRequest

    /// What telemetry keeps of it; `sent` is nil before it goes out, and when it never does.
    func record(sent: Date?) -> NotificationRecord {
        NotificationRecord(id: id, send: send, enqueued: enqueued, sent: sent, wasScheduled: true)
    }

    /// Roughly what it takes of memory, in bytes.
    var size: Int { record(sent: nil).size }
}
