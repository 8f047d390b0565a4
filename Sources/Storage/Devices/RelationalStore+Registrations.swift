package import CampaignCore
package import FoundationEssentials

extension RelationalStore {
    package func issue(
        _ id: String, to user: Username, handle: HandleDigest?, at time: Date
    ) async throws {
        try await update { db in
            let owner = db.dialect.owner
            let count = try db.run(
                """
                INSERT INTO registrations AS known (id, \(owner), handle, updated)
                VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (id) DO UPDATE SET
                    handle = coalesce(excluded.handle, known.handle), updated = excluded.updated
                    WHERE known.\(owner) = excluded.\(owner)
                """, [id, user.text, handle?.bytes, time])
            guard count == 1 else { throw StoreError.registrationTaken }
        }
    }

    package func registration(_ id: String) async throws -> DeviceRegistration? {
        try await query { db in
            try db.row(
                "\(Self.registrations(db)) WHERE id = ?1 AND \(db.dialect.owner) <> ''", [id],
                Self.registration)
        }
    }

    package func registrations(
        of user: Username, handle: HandleDigest?, limit: Int
    ) async throws -> [DeviceRegistration] {
        try await query { db in
            try db.rows(
                """
                \(Self.registrations(db))
                WHERE \(db.dialect.owner) = ?1 AND (?2 IS NULL OR handle = ?2)
                ORDER BY updated DESC, id LIMIT ?3
                """, [user.text, handle?.bytes, limit], Self.registration)
        }
    }

    package func use(
        _ id: String, of user: Username, platform: Platform, handle: HandleDigest, at time: Date
    ) async throws -> [String] {
        try await update { db in
            // If two hosts take over the same device at the same time, the second host sees the
            // result of the first.
            try db.lock(.deviceHandle, Hexadecimal.text(handle.bytes), isShared: false)
            let owner = db.dialect.owner
            let count = try db.run(
                """
                UPDATE registrations SET platform = ?1, handle = ?2, updated = ?3
                WHERE id = ?4 AND \(owner) = ?5
                """,
                [platform.rawValue, handle.bytes, time, id, user.text])
            guard count == 1 else { return [] }
            return try db.rows(
                """
                UPDATE registrations SET \(owner) = ''
                WHERE platform = ?1 AND handle = ?2 AND id <> ?3
                RETURNING id
                """, [platform.rawValue, handle.bytes, id]
            ) { try $0.text(0) }.sorted()
        }
    }

    package func forget(_ id: String) async throws {
        try await update { db in
            _ = try db.run("DELETE FROM registrations WHERE id = ?1", [id])
        }
    }

    /// An id has no user if another id has its handle but the hub has not deleted this id yet.
    private static func registrations(_ db: any SQLConnection) -> String {
        "SELECT id, \(db.dialect.owner), platform, handle, updated FROM registrations"
    }

    private static func registration(_ row: any SQLRow) throws -> DeviceRegistration {
        DeviceRegistration(
            id: try row.text(0), user: Username(checked: try row.text(1)),
            platform: row.isNull(2) ? nil : try row.word(2),
            handle: try row.optionalBytes(3).map { HandleDigest(bytes: $0) },
            updated: try row.time(4))
    }
}
