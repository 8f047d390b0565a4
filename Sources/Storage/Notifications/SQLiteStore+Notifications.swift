package import CampaignCore
import Crypto
import FoundationEssentials
import GRDB

extension SQLiteStore {
    package func notification(_ id: NotificationID) async throws -> StoredNotification? {
        try await read { db in try Self.row(of: id, db).map { try Self.notification(id, $0) } }
    }

    package func notification(
        _ id: NotificationID, for recipient: Username
    ) async throws -> StoredNotification? {
        try await read { db in
            guard let row = try Self.row(of: id, db) else { return nil }
            let wanted: Int = row["number"]
            let number = try RecipientOrder(run: row["run"], db).number(of: recipient)
            // The shared notification has number 0 and is for everyone in the run.
            guard let number, wanted == 0 || wanted == number else { return nil }
            return try Self.notification(id, row)
        }
    }

    private static func row(of id: NotificationID, _ db: Database) throws -> Row? {
        try Row.fetchOne(try db.cachedStatement(sql: fetching), arguments: [id.text])
    }

    static let fetching = """
        SELECT i.run, i.number, runs.id AS run_id, runs.kind, runs.started, runs.expires,
            n.type, n.message, n.media_type, n.text, c.bytes, c.digest
        FROM notification_ids i
        CROSS JOIN notifications n ON n.run = i.run AND n.number = i.number
        CROSS JOIN runs ON runs.key = i.run
        LEFT JOIN contents c ON c.key = n.content
        WHERE i.id = ? AND runs.revoked IS NULL
        """

    private static func notification(
        _ id: NotificationID, _ row: Row
    ) throws -> StoredNotification {
        guard let kind = CampaignKind(rawValue: row["kind"]) else {
            throw DatabaseError.damaged
        }
        let bytes =
            (row["text"] as String?).map { Array($0.utf8) }
            ?? (row["bytes"] as Data?).map(Array.init)
        // An own text is small and hashed as it is read.
        let digest =
            (row["digest"] as Data?).map(Array.init)
            ?? bytes.map { Array(SHA256.hash(data: $0)) }
        return StoredNotification(
            id: id, run: RunID(checked: row["run_id"]), kind: kind, type: row["type"],
            message: row["message"], mediaType: row["media_type"], bytes: bytes,
            digest: digest.map(Hexadecimal.text), created: Timestamp.date(row["started"]),
            expires: Timestamp.date(row["expires"]))
    }
}
