import struct Foundation.Date

/// The newest notifications of a hub, bounded in number and bytes.
struct NotificationLog: Sendable {
    private let mostRecords: Int
    private let mostBytes: Int
    private var records: [String: NotificationRecord] = [:]
    private var ids: [String] = []
    private var start = 0
    /// How many ids have been moved out at the front of `ids`.
    private var moved = 0
    private var bytes = 0

    /// Makes an empty log.
    ///
    /// - Parameter limits: how much to keep.
    init(limits: LocalHubLimits) {
        mostRecords = limits.notifications
        mostBytes = limits.notificationBytes
    }

    /// The notifications, oldest first.
    var all: [NotificationRecord] {
        ids[start...].compactMap { records[$0] }
    }

    /// The notification of an id; nil when it is unknown or no longer kept.
    subscript(id: String) -> NotificationRecord? {
        records[id]
    }

    /// Some of the notifications, newest first.
    ///
    /// - Parameters:
    ///   - number: where the last call stopped; nil: the newest of all.
    ///   - limit: the most notifications.
    /// - Returns: the notifications, and where the next call goes on; nil: at the end.
    func newest(before number: Int?, limit: Int) -> (records: [NotificationRecord], next: Int?) {
        let end = min(number.map { $0 - moved } ?? ids.count, ids.count)
        guard end > start else { return ([], nil) }
        let page = ids[max(start, end - limit)..<end]
        return (
            page.reversed().compactMap { records[$0] },
            page.startIndex > start ? page.startIndex + moved : nil
        )
    }

    /// Adds a notification, and lets the oldest go when there are too many.
    ///
    /// - Parameter record: the notification; its id is new.
    mutating func add(_ record: NotificationRecord) {
        guard records.updateValue(record, forKey: record.id) == nil else { return }
        ids.append(record.id)
        bytes += record.size
        while records.count > mostRecords || bytes > mostBytes { letOldestGo() }
        // Moving the rest to the front only now and then keeps the cost of each notification constant.
        guard start > 16, start * 2 > ids.count else { return }
        ids.removeFirst(start)
        moved += start
        start = 0
    }

    private mutating func letOldestGo() {
        bytes -= records.removeValue(forKey: ids[start])?.size ?? 0
        start += 1
    }
}

/// What telemetry keeps of a notification that has left the hub, or never will.
struct NotificationRecord: Sendable, Hashable, Codable {
    /// How often a push service made the same of pushes of the notification.
    struct Tally: Sendable, Hashable, Codable {
        /// The push service.
        let platform: LocalHubPlatform
        /// What it made of them.
        let outcome: PushOutcome
        /// How many they were.
        var count: Int
        /// Why the first of them did not reach its device, as a sentence; nil when it did.
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
    /// The request that brought it; nil when that is not known.
    let origin: SendOrigin?
    /// The numbers of its messages, one behind another, since a send is not interrupted; nil: it never went out.
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

    /// How many pushes a push service refused; a repeat to the same device is none.
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
