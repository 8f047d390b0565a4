package import CampaignCore
package import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    package func issue(
        _ id: String, to user: Username, handle: HandleDigest?, at time: Date
    ) async throws {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO registrations (id, user, handle, updated) VALUES (?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET
                        handle = coalesce(excluded.handle, handle), updated = excluded.updated
                        WHERE user = excluded.user
                    """
            ).execute(
                arguments: [
                    id, user.text, handle.map { Data($0.bytes) }, StoredTime.milliseconds(time),
                ])
            guard db.changesCount == 1 else { throw StoreError.registrationTaken }
        }
    }

    package func registration(_ id: String) async throws -> DeviceRegistration? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: "\(Self.registrations) WHERE id = ? AND user <> ''"),
                arguments: [id]
            ).map(Self.registration)
        }
    }

    package func registrations(
        of user: Username, handle: HandleDigest?, limit: Int
    ) async throws -> [DeviceRegistration] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        \(Self.registrations) WHERE user = ?1 AND (?2 IS NULL OR handle = ?2)
                        ORDER BY updated DESC, id LIMIT ?3
                        """),
                arguments: [user.text, handle.map { Data($0.bytes) }, limit]
            ).map(Self.registration)
        }
    }

    package func use(
        _ id: String, of user: Username, platform: Platform, handle: HandleDigest, at time: Date
    ) async throws -> [String] {
        try await write { db in
            let device: StatementArguments = [platform.rawValue, Data(handle.bytes)]
            try db.cachedStatement(
                sql: """
                    UPDATE registrations SET platform = ?, handle = ?, updated = ?
                    WHERE id = ? AND user = ?
                    """
            ).execute(arguments: device + [StoredTime.milliseconds(time), id, user.text])
            guard db.changesCount == 1 else { return [] }
            return try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        UPDATE registrations SET user = ''
                        WHERE platform = ? AND handle = ? AND id <> ?
                        RETURNING id
                        """),
                arguments: device + [id]
            ).sorted()
        }
    }

    package func forget(_ id: String) async throws {
        try await write { db in
            try db.cachedStatement(sql: "DELETE FROM registrations WHERE id = ?")
                .execute(arguments: [id])
        }
    }

    /// Without a user, it is nobody's: another id has its handle, and the hub has not deleted it
    /// yet.
    private static let registrations =
        "SELECT id, user, platform, handle, updated FROM registrations"

    private static func registration(_ row: Row) throws -> DeviceRegistration {
        let platform = try (row["platform"] as String?).map { name in
            guard let platform = Platform(rawValue: name) else { throw DatabaseError.damaged }
            return platform
        }
        return DeviceRegistration(
            id: row["id"], user: Username(checked: row["user"]), platform: platform,
            handle: (row["handle"] as Data?).map { HandleDigest(bytes: Array($0)) },
            updated: StoredTime.date(row["updated"]))
    }
}
