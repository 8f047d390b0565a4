package import CampaignCore
import Crypto
import FoundationEssentials
import GRDB

extension SQLiteStore {
    package func notification(_ id: NotificationID) async throws -> StoredNotification? {
        try await notification(id, where: "1", [])
    }

    package func notification(
        _ id: NotificationID, for recipient: Username
    ) async throws -> StoredNotification? {
        try await notification(
            id,
            where: Self.isRecipient, [recipient.text])
    }

    private func notification(
        _ id: NotificationID, where condition: String, _ arguments: StatementArguments
    ) async throws -> StoredNotification? {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: "\(Self.fetching) WHERE i.id = ? AND runs.revoked IS NULL AND \(condition)")
            return try Row.fetchOne(statement, arguments: [id.text] + arguments)
                .map { try Self.notification(id, $0) }
        }
    }

    static let isRecipient = """
        EXISTS (SELECT 1 FROM recipients r WHERE r.run = i.run AND r.name = ?
            AND (i.number = 0 OR i.number = r.number))
        """

    static let fetching = """
        SELECT runs.id AS run_id, runs.kind, runs.started, runs.expires,
            n.type, n.message, n.media_type, n.text, c.bytes, c.digest
        FROM notification_ids i
        CROSS JOIN notifications n ON n.run = i.run AND n.number = i.number
        CROSS JOIN runs ON runs.key = i.run
        LEFT JOIN contents c ON c.key = n.content
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
