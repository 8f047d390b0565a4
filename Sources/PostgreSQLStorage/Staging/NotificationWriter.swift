import CampaignCore
import Crypto
import FoundationEssentials
import PostgreSQLClient
import Storage

/// Writes a run's notifications down; content that is not secret is stored once, however many runs have it.
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

    /// Writes notifications down.
    ///
    /// - Parameter notifications: as their rows will hold them, with their recipients' numbers; 0 or less for one that a run's
    ///   recipients share.
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
                copy.append(notification.type)
                copy.append(notification.message)
                copy.append(notification.mediaType)
                copy.append(keys[index])
                copy.append(notification.sealed)
                copy.append(notification.byteCount)
                copy.append(notification.language)
                copy.append(notification.texts)
            }
        }
    }

    /// The key of each notification's content, which is in the store then; while rows are copied, nothing can be asked.
    private func contentKeys(of notifications: [PreparedNotification]) throws -> [Int64?] {
        var last: (content: [UInt8], key: Int64)?
        return try notifications.map { notification in
            guard let content = notification.content else { return nil }
            // Arrays that share their storage compare at once.
            if let last, last.content == content { return last.key }
            let key = try self.key(of: content)
            last = (content, key)
            return key
        }
    }

    /// Stores content that is not there yet.
    ///
    /// Its row is locked until the transaction ends, so that nobody deletes it before they can see who uses it: whoever does has to lock
    /// it first and to look then, in another statement.
    private func key(of content: [UInt8]) throws -> Int64 {
        let digest = Array(SHA256.hash(data: Data(content)))
        while true {
            let known = try db.row(
                "SELECT key FROM contents WHERE digest = $1 FOR KEY SHARE", [digest])
            if let known { return try known.int64(0) }
            // It may be there already, as another host has just stored it, or be gone when it is looked for again.
            try db.execute(
                "INSERT INTO contents (digest, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                [digest, content])
        }
    }
}
