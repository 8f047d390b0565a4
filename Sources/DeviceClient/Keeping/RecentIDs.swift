/// The newest ids, each once, up to a number of them.
struct RecentIDs: Sendable {
    private let limit: Int
    /// The oldest comes first.
    private(set) var ids: [NotificationID] = []

    /// Makes an empty record.
    ///
    /// - Parameter limit: how many are kept, at least 1.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Whether an id is kept.
    func contains(_ id: NotificationID) -> Bool { ids.contains(id) }

    /// Keeps an id, and lets the oldest go when there are too many.
    mutating func insert(_ id: NotificationID) {
        guard !ids.contains(id) else { return }
        ids.append(id)
        if ids.count > limit { ids.removeFirst(ids.count - limit) }
    }

    /// Lets an id go.
    mutating func remove(_ id: NotificationID) { ids.removeAll { $0 == id } }
}
