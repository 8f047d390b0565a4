import CampaignCore
import Crypto
import FoundationEssentials
import GRDB

/// Writes a run's notifications down; a file that many of them share is stored, and hashed, once.
struct NotificationWriter {
    private let run: RunKey
    private let db: Database
    private var batch: RowBatch
    private var lastFile: (file: PayloadFile, key: Int64)?

    init(run: RunKey, _ db: Database) throws {
        self.run = run
        self.db = db
        self.batch = try RowBatch(
            into: "notifications",
            ["run", "number", "id", "type", "message", "media_type", "text", "content"], db)
    }

    /// Writes one notification down, at the latest with ``finish()``.
    ///
    /// - Parameters:
    ///   - notification: rendered.
    ///   - number: its recipient's; 0 for the one that a run's recipients share.
    /// - Throws: `DatabaseError`.
    mutating func write(_ notification: NewNotification, number: Int) throws {
        var mediaType: String?
        var text: String?
        var content: Int64?
        switch notification.content {
        case .none: break
        case .text(let own, let type):
            mediaType = type
            text = own
        case .file(let file):
            mediaType = file.mediaType
            content = try key(of: file)
        }
        batch.append(run.value)
        batch.append(number)
        batch.append(notification.id.text)
        batch.append(notification.type)
        batch.append(notification.message)
        batch.append(mediaType)
        batch.append(text)
        batch.append(content)
        try batch.endRow()
    }

    /// Writes what was held back to be written with others.
    ///
    /// - Throws: `DatabaseError`.
    mutating func finish() throws {
        try batch.finish()
    }

    private mutating func key(of file: PayloadFile) throws -> Int64 {
        // Arrays that share their storage compare at once.
        if let lastFile, lastFile.file == file { return lastFile.key }
        let digest = Data(SHA256.hash(data: file.bytes))
        let known = try Int64.fetchOne(
            db, sql: "SELECT key FROM contents WHERE digest = ?", arguments: [digest])
        if known == nil {
            try db.execute(
                sql: "INSERT INTO contents (digest, bytes) VALUES (?, ?)",
                arguments: [digest, Data(file.bytes)])
        }
        let key = known ?? db.lastInsertedRowID
        lastFile = (file, key)
        return key
    }
}
