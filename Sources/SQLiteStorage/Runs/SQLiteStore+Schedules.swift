package import CampaignCore
package import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    package func firstSight(
        of schedule: String, campaign: String, at hub: HubIdentity, now: Date
    ) async throws -> Date {
        let time = StoredTime.milliseconds(now)
        // Called each minute for each campaign: usually there is nothing to write.
        let known = try await read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT seen FROM schedules
                    WHERE hub = ? AND campaign = ? AND schedule = ? AND seen <= ?
                    """,
                arguments: [hub.description, campaign, schedule, time])
        }
        if let known { return StoredTime.date(known) }
        return try await write { db in
            try db.execute(
                sql: """
                    INSERT INTO schedules (hub, campaign, schedule, seen) VALUES (?, ?, ?, ?)
                    ON CONFLICT (hub, campaign) DO UPDATE SET
                        seen = iif(
                            schedule = excluded.schedule, min(seen, excluded.seen), excluded.seen),
                        schedule = excluded.schedule
                    """,
                arguments: [hub.description, campaign, schedule, time])
            let seen = try Int64.fetchOne(
                db, sql: "SELECT seen FROM schedules WHERE hub = ? AND campaign = ?",
                arguments: [hub.description, campaign])
            return seen.map(StoredTime.date) ?? now
        }
    }

    package func began(now: Date) async throws -> Date {
        let time = StoredTime.milliseconds(now)
        let known = try await read { db in
            try Int64.fetchOne(
                db,
                sql: "SELECT seen FROM schedules WHERE hub = '' AND campaign = '' AND seen <= ?",
                arguments: [time])
        }
        if let known { return StoredTime.date(known) }
        return try await write { db in
            // The row that belongs to no campaign is the store's own.
            try db.execute(
                sql: """
                    INSERT INTO schedules (hub, campaign, schedule, seen)
                    SELECT '', '', '', min(since) FROM (
                        SELECT min(started) AS since FROM runs
                        UNION ALL SELECT min(seen) FROM schedules
                        UNION ALL SELECT min(updated) FROM registrations
                        UNION ALL SELECT ?)
                    WHERE true
                    ON CONFLICT (hub, campaign) DO UPDATE SET seen = min(seen, excluded.seen)
                    """, arguments: [time])
            let seen = try Int64.fetchOne(
                db, sql: "SELECT seen FROM schedules WHERE hub = '' AND campaign = ''")
            return seen.map(StoredTime.date) ?? now
        }
    }
}
