package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore: ScheduleLedger {
    package func firstSight(
        of schedule: String, campaign: String, at hub: HubIdentity, now: Date
    ) async throws -> Date {
        let values: [any PostgreSQLBindable] = [
            hub.description, campaign, schedule, StoredTime.milliseconds(now),
        ]
        // Called each minute for each campaign: usually there is nothing to write.
        let known = try await read { db in
            try db.row(
                """
                SELECT seen FROM schedules
                WHERE hub = $1 AND campaign = $2 AND schedule = $3 AND seen <= $4
                """, values)?.int64(0)
        }
        if let known { return StoredTime.date(known) }
        return try await write { db in
            let row = try db.row(
                """
                INSERT INTO schedules AS known (hub, campaign, schedule, seen)
                VALUES ($1, $2, $3, $4)
                ON CONFLICT (hub, campaign) DO UPDATE SET
                    seen = CASE WHEN known.schedule = excluded.schedule
                        THEN least(known.seen, excluded.seen) ELSE excluded.seen END,
                    schedule = excluded.schedule
                RETURNING seen
                """, values)
            return try row.map { StoredTime.date(try $0.int64(0)) } ?? now
        }
    }

    package func began(now: Date) async throws -> Date {
        let time = StoredTime.milliseconds(now)
        let known = try await read { db in
            try db.row(
                "SELECT seen FROM schedules WHERE hub = '' AND campaign = '' AND seen <= $1", [time]
            )?.int64(0)
        }
        if let known { return StoredTime.date(known) }
        return try await write { db in
            // The row that belongs to no campaign is the store's own.
            let row = try db.row(
                """
                INSERT INTO schedules AS known (hub, campaign, schedule, seen)
                SELECT '', '', '', min(since) FROM (
                    SELECT min(started) AS since FROM runs
                    UNION ALL SELECT min(seen) FROM schedules
                    UNION ALL SELECT min(updated) FROM registrations
                    UNION ALL SELECT $1) AS known_since
                ON CONFLICT (hub, campaign) DO UPDATE SET seen = least(known.seen, excluded.seen)
                RETURNING seen
                """, [time])
            return try row.map { StoredTime.date(try $0.int64(0)) } ?? now
        }
    }
}
