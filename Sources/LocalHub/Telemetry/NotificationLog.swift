import Foundation
import NIOCore

/// The newest notifications of a hub, limited in number and size.
struct NotificationLog: Sendable {
    /// It is a class, so that snapshots of the hub are cheap.
    private final class Entry: Sendable {
        let record: NotificationRecord

        init(_ record: NotificationRecord) {
            self.record = record
        }
    }

    private let limits: LocalHubLimits
    private var entries: [String: Entry] = [:]
    /// The notifications, oldest first.
    private var ids: CircularBuffer<String> = []
    private var bytes = 0

    init(limits: LocalHubLimits) {
        self.limits = limits
    }

    /// The notifications, oldest first.
    var all: some BidirectionalCollection<NotificationRecord> {
        ids.lazy.compactMap { entries[$0]?.record }
    }

    subscript(id: String) -> NotificationRecord? {
        entries[id]?.record
    }

    mutating func add(_ record: NotificationRecord) {
        guard entries.updateValue(Entry(record), forKey: record.id) == nil else { return }
        ids.append(record.id)
        bytes += record.size
        while ids.count > limits.notifications || bytes > limits.notificationBytes {
            bytes -= entries.removeValue(forKey: ids.removeFirst())?.record.size ?? 0
        }
    }
}

struct NotificationRecord: Sendable, Hashable, Codable {
    /// The number of pushes with the same outcome at the same push service.
    struct Tally: Sendable, Hashable, Codable {
        let platform: LocalHubPlatform
        let outcome: PushOutcome
        var count: Int
        /// The reason why the first of these pushes failed, as a sentence.
        var reason: String?
    }

    let id: String
    let enqueued: Date
    /// When the notification was sent; nil if it was cancelled before that.
    let sent: Date?
    /// Whether the send was scheduled.
    let wasScheduled: Bool
    let tags: String?
    let body: [UInt8]
    /// The platform; nil for a template send.
    let platform: LocalHubPlatform?
    /// The request; nil if unknown.
    let origin: SendOrigin?
    /// The sequence numbers of the messages, which are consecutive; nil if the notification was not
    /// sent.
    var messages: Range<Int>?
    /// The outcomes, grouped by push service.
    private(set) var tallies: [Tally] = []

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

    /// The approximate size in memory, in bytes.
    var size: Int {
        256 + id.utf8.count + body.count + (tags?.utf8.count ?? 0) + (origin?.size ?? 0)
            + tallies.reduce(0) { $0 + ($1.reason?.utf8.count ?? 0) }
    }

    var arrived: Int { sum { $0 == .success } }

    /// The pushes that were refused, excluding duplicates to the same device.
    var refused: Int { sum { $0 != .success && $0 != .skipped } }

    private func sum(of isCounted: (PushOutcome) -> Bool) -> Int {
        tallies.filter { isCounted($0.outcome) }.reduce(0) { $0 + $1.count }
    }

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
