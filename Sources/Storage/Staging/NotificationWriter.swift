import CampaignCore
import Crypto
import FoundationEssentials
import GRDB

/// Writes a run's notifications down; a file that many of them share is stored, and hashed, once.
struct NotificationWriter {
    private let run: RunKey
    private let db: Database
    private let insert: NativeStatement
    private var lastFile: (file: PayloadFile, key: Int64)?

    init(run: RunKey, _ db: Database) throws {
        self.run = run
        self.db = db
        self.insert = try NativeStatement(
            """
            INSERT INTO notifications (run, number, id, type, message, media_type, text, content)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, db)
    }

    /// Writes one notification down.
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
        insert.bind(run.value, at: 1)
        insert.bind(number, at: 2)
        insert.bind(notification.id.text, at: 3)
        insert.bind(notification.type, at: 4)
        insert.bind(notification.message, at: 5)
        insert.bind(mediaType, at: 6)
        insert.bind(text, at: 7)
        insert.bind(content, at: 8)
        try insert.run()
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
