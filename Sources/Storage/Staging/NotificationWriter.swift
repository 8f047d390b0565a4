import CampaignCore
import Crypto
import FoundationEssentials
import GRDB

/// Writes a run's notifications down; content that is not secret is stored, and hashed, once.
struct NotificationWriter {
    /// What stands for all that was written: the digests of the rows, added up.
    var digest: Int64 { batch.digest &+ added }
    /// What stands for the columns that are not in every row.
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

    /// Writes one notification down, at the latest with ``finish()``.
    ///
    /// - Parameters:
    ///   - notification: as its row will hold it.
    ///   - number: its recipient's; 0 or less for one that a run's recipients share.
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

    /// Writes what was held back to be written with others.
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

/// A notification as its row will hold it.
struct PreparedNotification: Sendable {
    let id: NotificationID
    /// What is not secret: of a notification that a run's recipients share, and that is not secure.
    var type: String?
    var message: String?
    /// ``NotificationTexts/bytes``.
    var texts: [UInt8]?
    /// The language of a notification that recipients share, secret or not.
    var language: String?
    var mediaType: String?
    /// Content that is not secret.
    var content: [UInt8]?
    /// The content's own length, secret or not; nil where there is none.
    var byteCount: Int?
    /// All that is secret, encrypted.
    var sealed: [UInt8]?

    /// Whether a notification is encrypted at rest: what is secure, and what was rendered for one person.
    static func isSealed(kind: CampaignKind, for recipient: Username?) -> Bool {
        kind == .secure || recipient != nil
    }

    /// Encrypts what has to be.
    ///
    /// - Parameters:
    ///   - notification: rendered.
    ///   - kind: its run's.
    ///   - recipient: whom it was rendered for; nil: the run's recipients share it.
    ///   - cipher: nil only where ``isSealed(kind:for:)`` says no.
    /// - Throws: what the cipher throws.
    init(
        _ notification: NewNotification, kind: CampaignKind, for recipient: Username?,
        cipher: PayloadCipher?
    ) throws {
        id = notification.id
        var secret: [UInt8]?
        switch notification.content {
        case .none: break
        case .text(let text, let type):
            mediaType = type
            secret = Array(text.utf8)
        case .file(let file):
            mediaType = file.mediaType
            // A file that is not secret is stored once, however many personal notifications share it.
            if kind == .secure { secret = file.bytes } else { content = file.bytes }
        }
        byteCount = (content ?? secret)?.count
        if recipient == nil { language = notification.language?.text }
        let texts = NotificationTexts(notification).bytes
        guard Self.isSealed(kind: kind, for: recipient), let cipher else {
            type = notification.type
            message = notification.message
            self.texts = texts
            content = content ?? secret
            return
        }
        sealed = try cipher.seal(
            SealedParts(
                type: notification.type, message: notification.message, texts: texts,
                content: secret),
            of: id, for: recipient)
    }
}
