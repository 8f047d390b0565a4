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
