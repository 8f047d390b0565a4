import Foundation
import NIOCore

/// The newest notifications of a hub, bounded in number and bytes.
struct NotificationLog: Sendable {
    /// An object, so that a snapshot of the hub is cheap to copy.
    private final class Entry: Sendable {
        let record: NotificationRecord

        init(_ record: NotificationRecord) {
            self.record = record
        }
    }

    private let limits: LocalHubLimits
    private var entries: [String: Entry] = [:]
    /// The ids of the records, oldest first.
    private var ids: CircularBuffer<String> = []
    private var bytes = 0

    /// Makes an empty log.
    init(limits: LocalHubLimits) {
        self.limits = limits
    }

    /// The notifications, oldest first.
    var all: some BidirectionalCollection<NotificationRecord> {
        ids.lazy.compactMap { entries[$0]?.record }
    }

    /// The notification of an id; nil when it is unknown or no longer kept.
    subscript(id: String) -> NotificationRecord? {
        entries[id]?.record
    }

    /// Adds a notification, and lets the oldest go when there are too many.
    mutating func add(_ record: NotificationRecord) {
        guard entries.updateValue(Entry(record), forKey: record.id) == nil else { return }
        ids.append(record.id)
        bytes += record.size
        while ids.count > limits.notifications || bytes > limits.notificationBytes {
            bytes -= entries.removeValue(forKey: ids.removeFirst())?.record.size ?? 0
        }
    }
}

/// What telemetry keeps of a notification that was sent or cancelled.
struct NotificationRecord: Sendable, Hashable, Codable {
    /// How many pushes of the notification had the same outcome at the same push service.
    struct Tally: Sendable, Hashable, Codable {
        /// The push service.
        let platform: LocalHubPlatform
        /// The outcome.
        let outcome: PushOutcome
        /// How many pushes.
        var count: Int
        /// Why the first of them did not reach its device, as a sentence; nil when they did.
        var reason: String?
    }

    /// The id.
    let id: String
    /// When the hub took it.
    let enqueued: Date
    /// When it went out; nil when it was cancelled before that.
    let sent: Date?
    /// Whether it waited for a time that its sender had set.
    let wasScheduled: Bool
    /// The tag expression as sent.
    let tags: String?
    /// The body as sent.
    let body: [UInt8]
    /// The format of a native send; nil for a template send.
    let platform: LocalHubPlatform?
    /// The request that sent it; nil when it is not known.
    let origin: SendOrigin?
    /// The sequences of its messages, which have no gap since a send is not interrupted; nil: it was not sent.
    var messages: Range<Int>?
    /// The outcomes, those of one push service together.
    private(set) var tallies: [Tally] = []

    /// Begins the record of a send.
    ///
    /// - Parameters:
    ///   - id: its id.
    ///   - send: the send.
    ///   - enqueued: when the hub took it.
    ///   - sent: when it goes out; nil: never, since it was cancelled.
    ///   - wasScheduled: whether it waited for a time that its sender had set.
    init(id: String, send: SendRequest, enqueued: Date, sent: Date?, wasScheduled: Bool) {
        self.id = id
        self.enqueued = enqueued
        self.sent = sent
        self.wasScheduled = wasScheduled
        tags = send.tags
        body = send.payload
        platform = send.content.platform
        origin = send.origin
    }

    /// Roughly what the record takes of memory, in bytes.
    var size: Int {
        256 + id.utf8.count + body.count + (tags?.utf8.count ?? 0) + (origin?.size ?? 0)
            + tallies.reduce(0) { $0 + ($1.reason?.utf8.count ?? 0) }
    }

    /// How many pushes reached a device.
    var arrived: Int { sum { $0 == .success } }

    /// How many pushes a push service refused; a repeat to the same device is not counted.
    var refused: Int { sum { $0 != .success && $0 != .skipped } }

    private func sum(of isCounted: (PushOutcome) -> Bool) -> Int {
        tallies.filter { isCounted($0.outcome) }.reduce(0) { $0 + $1.count }
    }

    /// Counts what became of a push.
    mutating func count(_ result: PushResult) {
        let platform = result.target.device.platform
        let known = tallies.firstIndex { $0.platform == platform && $0.outcome == result.outcome }
        guard let known else {
            let reason = result.refusal?.reason
            return tallies.append(
                Tally(platform: platform, outcome: result.outcome, count: 1, reason: reason))
        }
        tallies[known].count += 1
    }
}
