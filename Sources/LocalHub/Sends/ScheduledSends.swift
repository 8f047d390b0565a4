import HTTPTypes

import struct Foundation.Date

/// The sends of a hub that wait for their time, bounded in number and bytes.
struct ScheduledSends: Sendable {
    private struct Place: Comparable {
        let due: Date
        let id: String

        static func < (left: Place, right: Place) -> Bool {
            (left.due, left.id) < (right.due, right.id)
        }
    }

    private let mostSends: Int
    private let mostBytes: Int
    private var sends: [String: ScheduledSend] = [:]
    /// The latest first, so that the next to go is taken from the end.
    private var order: [Place] = []
    private var bytes = 0

    /// Makes an empty schedule.
    ///
    /// - Parameter limits: how much to keep.
    init(limits: LocalHubLimits) {
        mostSends = limits.scheduledSends
        mostBytes = limits.scheduledBytes
    }

    /// The sends in the order in which they are due.
    var all: [ScheduledSend] { order.reversed().compactMap { sends[$0.id] } }

    /// When the next one is due; nil when there is none.
    var nextDue: Date? { order.last?.due }

    /// The send of an id; nil when there is none, or it has gone out.
    subscript(id: String) -> ScheduledSend? { sends[id] }

    /// Adds a send.
    ///
    /// - Parameter send: the send; its id is new.
    /// - Throws: a 403 when the hub keeps as many as it can.
    mutating func add(_ send: ScheduledSend) throws(HubFailure) {
        guard sends.count < mostSends, bytes + send.size <= mostBytes else {
            throw .tooManyScheduledSends
        }
        let place = Place(due: send.due, id: send.id)
        order.insert(place, at: index(of: place))
        sends[send.id] = send
        bytes += send.size
    }

    /// Takes a send back.
    ///
    /// - Parameter id: its id.
    /// - Returns: the send; nil when there is none, or it has gone out.
    mutating func remove(id: String) -> ScheduledSend? {
        guard let send = sends.removeValue(forKey: id) else { return nil }
        order.remove(at: index(of: Place(due: send.due, id: id)))
        bytes -= send.size
        return send
    }

    /// Takes the next send whose time has come.
    ///
    /// - Parameter now: the hub's time.
    /// - Returns: the send; nil when none is due.
    mutating func takeDue(at now: Date) -> ScheduledSend? {
        guard let next = order.last, next.due <= now else { return nil }
        return remove(id: next.id)
    }

    /// Where a place stands, or would stand.
    private func index(of place: Place) -> Int {
        var range = 0..<order.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                order[middle] > place
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

extension HubFailure {
    /// The hub keeps as many scheduled sends as it can.
    static let tooManyScheduledSends = HubFailure(
        status: .forbidden,
        detail: "The local hub keeps no more scheduled sends; cancel some, or wait.")
}

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
