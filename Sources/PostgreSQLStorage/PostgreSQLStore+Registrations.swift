package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func issue(
        _ id: String, to user: Username, handle: HandleDigest?, at time: Date
    ) async throws {
        try await write { db in
            let count = try db.execute(
                """
                INSERT INTO registrations (id, username, handle, updated) VALUES ($1, $2, $3, $4)
                ON CONFLICT (id) DO UPDATE SET
                    handle = coalesce(excluded.handle, registrations.handle),
                    updated = excluded.updated
                    WHERE registrations.username = excluded.username
                """, [id, user.text, handle?.bytes, StoredTime.milliseconds(time)])
            guard count == 1 else { throw StoreError.registrationTaken }
        }
    }

    package func registration(_ id: String) async throws -> DeviceRegistration? {
        try await read { db in
            try db.row("\(Self.registrations) WHERE id = $1 AND username <> ''", [id])
                .map(Self.registration)
        }
    }

    package func registrations(
        of user: Username, handle: HandleDigest?, limit: Int
    ) async throws -> [DeviceRegistration] {
        try await read { db in
            try db.rows(
                """
                \(Self.registrations)
                WHERE username = $1 AND ($2::bytea IS NULL OR handle = $2)
                ORDER BY updated DESC, id LIMIT $3
                """, [user.text, handle?.bytes, limit]
            ).map(Self.registration)
        }
    }

    package func use(
        _ id: String, of user: Username, platform: Platform, handle: HandleDigest, at time: Date
    ) async throws -> [String] {
        try await write { db in
            // Of two hosts that take over the same device at once, the second sees the first's
            // result.
            try TransactionLock.deviceHandle.take(Hexadecimal.text(handle.bytes), db)
            let count = try db.execute(
                """
                UPDATE registrations SET platform = $1, handle = $2, updated = $3
                WHERE id = $4 AND username = $5
                """,
                [platform.rawValue, handle.bytes, StoredTime.milliseconds(time), id, user.text])
            guard count == 1 else { return [] }
            return try db.rows(
                """
                UPDATE registrations SET username = ''
                WHERE platform = $1 AND handle = $2 AND id <> $3
                RETURNING id
                """, [platform.rawValue, handle.bytes, id]
            ).map { try $0.text(0) }.sorted()
        }
    }

    package func forget(_ id: String) async throws {
        try await write { db in
            _ = try db.execute("DELETE FROM registrations WHERE id = $1", [id])
        }
    }

    /// Without a user, it is nobody's: another id has its handle, and the hub has not deleted it
    /// yet.
    private static let registrations =
        "SELECT id, username, platform, handle, updated FROM registrations"

    private static func registration(_ row: PostgreSQLRow) throws -> DeviceRegistration {
        let platform = try row.optionalText(2).map { name in
            guard let platform = Platform(rawValue: name) else { throw DamagedValue() }
            return platform
        }
        return DeviceRegistration(
            id: try row.text(0), user: Username(checked: try row.text(1)), platform: platform,
            handle: try row.optionalBytes(3).map { HandleDigest(bytes: $0) },
            updated: StoredTime.date(try row.int64(4)))
    }
}
