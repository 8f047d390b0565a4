import CampaignCore
import Crypto
import FoundationEssentials
import GRDB
import Storage

/// Writes a run's notifications; content that is not secret is stored, and hashed, once.
struct NotificationWriter {
    /// The sum of the rows' digests.
    var digest: Int64 { batch.digest &+ added }
    /// The digests of columns that not every row has.
    private var added: Int64 = 0
    private let run: StoredRun
    private let db: Database
    private var batch: RowBatch
    private var last: (content: [UInt8], key: Int64)?

    init(run: StoredRun, _ db: Database) throws {
        self.run = run
        self.db = db
        self.batch = try RowBatch(
            into: "notifications", RunDigests.notifications,
            others: ["byte_count", "language", "texts"], db)
    }

    /// Writes one, at the latest with ``finish()``; the number is its recipient's, 0 or less for a
    /// shared one.
    mutating func write(_ notification: PreparedNotification, number: Int) throws {
        batch.append(run.key)
        batch.append(number)
        batch.append(notification.id.text)
        batch.append(notification.type)
        batch.append(notification.message)
        batch.append(notification.mediaType)
        batch.append(try notification.content.map { try key(of: $0) })
        batch.append(notification.sealed)
        batch.append(nil as Int64?)
        batch.append(notification.byteCount.map(Int64.init))
        batch.append(notification.language)
        batch.append(notification.texts)
        try batch.endRow()
        added &+= RunDigests.added(
            number: number, language: notification.language, texts: notification.texts)
    }

    mutating func finish() throws {
        try batch.finish()
    }

    private mutating func key(of content: [UInt8]) throws -> Int64 {
        // Arrays that share their storage compare at once.
        if let last, last.content == content { return last.key }
        let digest = Data(SHA256.hash(data: content))
        let known = try Int64.fetchOne(
            db, sql: "SELECT key FROM contents WHERE digest = ?", arguments: [digest])
        if known == nil {
            try db.execute(
                sql: "INSERT INTO contents (digest, bytes) VALUES (?, ?)",
                arguments: [digest, Data(content)])
        }
        let key = known ?? db.lastInsertedRowID
        last = (content, key)
        return key
    }
}
