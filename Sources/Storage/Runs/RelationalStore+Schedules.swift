package import CampaignCore
package import FoundationEssentials

extension RelationalStore {
    package func firstSight(
        of schedule: String, campaign: String, at hub: HubIdentity, now: Date
    ) async throws -> Date {
        try await seen(
            """
            SELECT seen FROM schedules
            WHERE hub = ?1 AND campaign = ?2 AND schedule = ?3 AND seen <= ?4
            """,
            or: """
                INSERT INTO schedules AS known (hub, campaign, schedule, seen)
                VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (hub, campaign) DO UPDATE SET
                    seen = CASE WHEN known.schedule = excluded.schedule
                        AND known.seen < excluded.seen THEN known.seen ELSE excluded.seen END,
                    schedule = excluded.schedule
                RETURNING seen
                """, [hub.description, campaign, schedule, now])
    }

    package func began(now: Date) async throws -> Date {
        // The row without a campaign is for the store itself.
        try await seen(
            "SELECT seen FROM schedules WHERE hub = '' AND campaign = '' AND seen <= ?1",
            or: """
                INSERT INTO schedules AS known (hub, campaign, schedule, seen)
                SELECT '', '', '', min(since) FROM (
                    SELECT min(started) AS since FROM runs
                    UNION ALL SELECT min(seen) FROM schedules
                    UNION ALL SELECT min(updated) FROM registrations
                    UNION ALL SELECT ?1) AS known_since
                WHERE true
                ON CONFLICT (hub, campaign) DO UPDATE SET seen =
                    CASE WHEN known.seen < excluded.seen THEN known.seen ELSE excluded.seen END
                RETURNING seen
                """, [now])
    }

    /// Reads a time, or writes it if it is missing; this is called every minute and usually writes
    /// nothing.
    private func seen(
        _ known: String, or writing: String, _ values: [any SQLBindable]
    ) async throws -> Date {
        let found = try await query { db in try db.row(known, values) { try $0.time(0) } }
        if let found { return found }
        return try await update { db in
            let seen = try db.row(writing, values) { try $0.time(0) }
            guard let seen else { throw DamagedValue() }
            return seen
        }
    }
}
