/// Keeps which notifications were shown for as long as the process lives.
public actor InMemoryShownNotificationStore: ShownNotificationStore {
    private var recent: RecentIDs

    /// Makes an empty store.
    ///
    /// - Parameter limit: how many ids are kept, at least 1.
    public init(limit: Int = 500) {
        recent = RecentIDs(limit: limit)
    }

    /// Whether a notification was shown.
    ///
    /// - Parameter id: the notification.
    /// - Returns: whether it is among those kept.
    public func contains(_ id: NotificationID) -> Bool { recent.contains(id) }

    /// Keeps that a notification was shown.
    ///
    /// - Parameter id: the notification.
    public func insert(_ id: NotificationID) {
        recent.insert(id)
    }

    /// Takes back that a notification was shown.
    ///
    /// - Parameter id: the notification.
    public func remove(_ id: NotificationID) {
        recent.remove(id)
    }
}
