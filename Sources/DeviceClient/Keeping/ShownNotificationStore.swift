public import Foundation

/// Keeps, on the device, which notifications were shown, so that a push that comes twice is shown once.
public protocol ShownNotificationStore: Sendable {
    /// Whether a notification was shown.
    ///
    /// - Parameter id: the notification.
    /// - Returns: whether it is among those kept.
    /// - Throws: when the store cannot be read.
    func contains(_ id: NotificationID) async throws -> Bool
    /// Keeps that a notification was shown; the oldest one may be forgotten for it.
    ///
    /// - Parameter id: the notification.
    /// - Throws: when it cannot be kept.
    func insert(_ id: NotificationID) async throws
    /// Takes back that a notification was shown; no harm when it is not kept.
    ///
    /// - Parameter id: the notification.
    /// - Throws: when the store cannot be changed.
    func remove(_ id: NotificationID) async throws
}

/// Keeps which notifications were shown in a file of its own, an id a line.
///
/// One process at a time may use the file. On iOS, put it into the Application Support folder.
public actor FileShownNotificationStore: ShownNotificationStore {
    private let file: PrivateFile
    private let limit: Int
    private var loaded: RecentIDs?

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - file: its path; the folders above it are made when they are missing.
    ///   - limit: how many ids are kept, at least 1.
    public init(file: URL, limit: Int = 500) {
        self.file = PrivateFile(url: file)
        self.limit = limit
    }

    /// Whether a notification was shown.
    ///
    /// - Parameter id: the notification.
    /// - Returns: whether it is among those kept.
    /// - Throws: ``DeviceStoreError`` when the file cannot be read.
    public func contains(_ id: NotificationID) throws(DeviceStoreError) -> Bool {
        try recent().contains(id)
    }

    /// Keeps that a notification was shown.
    ///
    /// - Parameter id: the notification.
    /// - Throws: ``DeviceStoreError`` when the file cannot be written; the id is not kept then.
    public func insert(_ id: NotificationID) throws(DeviceStoreError) {
        var recent = try recent()
        recent.insert(id)
        try replace(with: recent)
    }

    /// Takes back that a notification was shown.
    ///
    /// - Parameter id: the notification.
    /// - Throws: ``DeviceStoreError`` when the file cannot be read or written; the id stays kept then.
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

/// The newest ids, each once, up to a number of them.
private struct RecentIDs: Sendable {
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
