import CampaignCore
import PostgreSQLClient
import Storage

/// Writes a run's notifications; content that is not secret is stored once for all runs.
struct NotificationWriter {
    private static let columns = [
        "run", "number", "id", "type", "message", "media_type", "content", "sealed", "byte_count",
        "language", "texts",
    ]

    private let run: StoredRun
    private let db: PostgreSQLConnection

    init(run: StoredRun, _ db: PostgreSQLConnection) {
        self.run = run
        self.db = db
    }

    /// Writes notifications with their recipients' numbers; 0 or less for shared ones.
    func write(_ notifications: [(PreparedNotification, number: Int)]) throws {
        let keys = try contentKeys(of: notifications.map(\.0))
        _ = try db.copy(
            into: RunPartitions.table("notifications", of: run), columns: Self.columns
        ) { copy in
            for (index, (notification, number)) in notifications.enumerated() {
                copy.beginRow(Self.columns.count)
                copy.append(run.key)
                copy.append(number)
                copy.append(notification.id.text)
                copy.append(notification.type.map(StoredText.encode))
                copy.append(notification.message.map(StoredText.encode))
                copy.append(notification.mediaType)
                copy.append(keys[index])
                copy.append(notification.sealed)
                copy.append(notification.byteCount)
                copy.append(notification.language)
                copy.append(notification.texts)
            }
        }
    }

    /// The key of each notification's content, stored before the copy, during which nothing can be
    /// asked.
    private func contentKeys(of notifications: [PreparedNotification]) throws -> [Int64?] {
        var last: (content: [UInt8], key: Int64)?
        return try notifications.map { notification in
            guard let content = notification.content else { return nil }
            // Arrays that share their storage compare at once.
            if let last, last.content == content { return last.key }
            let key = try ContentTable.key(of: content, in: run.key, db)
            last = (content, key)
            return key
        }
    }
}
