public import Foundation

/// Remembers which notifications were shown, so that a repeated push is shown only once.
public protocol ShownNotificationStore: Sendable {
    /// Whether a notification was shown.
    func contains(_ id: NotificationID) async throws -> Bool
    /// Records that a notification was shown; may drop the oldest record.
    func insert(_ id: NotificationID) async throws
    /// Forgets that a notification was shown; does nothing if it is unknown.
    func remove(_ id: NotificationID) async throws
}

/// Stores the ids of shown notifications in a file, one per line.
///
/// Only one process at a time can use the file. On iOS, use the Application Support folder.
public actor FileShownNotificationStore: ShownNotificationStore {
    private let file: PrivateFile
    private let limit: Int
    private var loaded: RecentIDs?

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - file: the path of the file; missing folders are created.
    ///   - limit: the maximum number of ids, at least 1.
    public init(file: URL, limit: Int = 500) {
        self.file = PrivateFile(url: file)
        self.limit = limit
    }

    /// Whether a notification was shown.
    public func contains(_ id: NotificationID) throws(DeviceStoreError) -> Bool {
        try recent().contains(id)
    }

    /// Records that a notification was shown; if this throws an error, nothing was recorded.
    public func insert(_ id: NotificationID) throws(DeviceStoreError) {
        var recent = try recent()
        recent.insert(id)
        try replace(with: recent)
    }

    /// Forgets that a notification was shown; if this throws an error, the record still exists.
    public func remove(_ id: NotificationID) throws(DeviceStoreError) {
        var recent = try recent()
        guard recent.contains(id) else { return }
        recent.remove(id)
        try replace(with: recent)
    }

    private func replace(with recent: RecentIDs) throws(DeviceStoreError) {
        try file.replace(with: recent.ids.map { $0.text + "\n" }.joined())
        loaded = recent
    }

    private func recent() throws(DeviceStoreError) -> RecentIDs {
        if let loaded { return loaded }
        var recent = RecentIDs(limit: limit)
        let lines = try file.text()?.split(whereSeparator: \.isNewline) ?? []
        for id in lines.compactMap({ NotificationID(String($0)) }) { recent.insert(id) }
        loaded = recent
        return recent
    }
}

/// Remembers in memory, until the process ends, which notifications were shown.
public actor InMemoryShownNotificationStore: ShownNotificationStore {
    private var recent: RecentIDs

    /// Creates an empty store for up to `limit` ids; the limit must be at least 1.
    public init(limit: Int = 500) {
        recent = RecentIDs(limit: limit)
    }

    /// Whether a notification was shown.
    public func contains(_ id: NotificationID) -> Bool { recent.contains(id) }

    /// Records that a notification was shown; may drop the oldest record.
    public func insert(_ id: NotificationID) {
        recent.insert(id)
    }

    /// Forgets that a notification was shown.
    public func remove(_ id: NotificationID) {
        recent.remove(id)
    }
}

/// The newest ids without duplicates, up to a limit.
private struct RecentIDs: Sendable {
    private let limit: Int
    /// The ids, oldest first.
    private(set) var ids: [NotificationID] = []

    /// - Parameter limit: at least 1.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    func contains(_ id: NotificationID) -> Bool { ids.contains(id) }

    /// Adds an id, and drops the oldest ids over the limit.
    mutating func insert(_ id: NotificationID) {
        guard !ids.contains(id) else { return }
        ids.append(id)
        if ids.count > limit { ids.removeFirst(ids.count - limit) }
    }

    mutating func remove(_ id: NotificationID) { ids.removeAll { $0 == id } }
}
