public import Foundation

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
    /// - Throws: when the file cannot be read.
    public func contains(_ id: NotificationID) throws -> Bool { try recent().contains(id) }

    /// Keeps that a notification was shown.
    ///
    /// - Parameter id: the notification.
    /// - Throws: when the file cannot be written; the id is not kept then.
    public func insert(_ id: NotificationID) throws {
        var recent = try recent()
        recent.insert(id)
        try replace(with: recent)
    }

    /// Takes back that a notification was shown.
    ///
    /// - Parameter id: the notification.
    /// - Throws: when the file cannot be read or written; the id stays kept then.
    public func remove(_ id: NotificationID) throws {
        var recent = try recent()
        guard recent.contains(id) else { return }
        recent.remove(id)
        try replace(with: recent)
    }

    private func replace(with recent: RecentIDs) throws {
        try file.replace(with: recent.ids.map { $0.text + "\n" }.joined())
        loaded = recent
    }

    private func recent() throws -> RecentIDs {
        if let loaded { return loaded }
        var recent = RecentIDs(limit: limit)
        let lines = try file.text()?.split(whereSeparator: \.isNewline) ?? []
        for id in lines.compactMap({ NotificationID(String($0)) }) { recent.insert(id) }
        loaded = recent
        return recent
    }
}
