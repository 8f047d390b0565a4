package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func revoke(_ run: RunID, at time: Date) async throws {
        try await write { db in
            // Keeps the first time, since when nobody could fetch them.
            let count = try db.execute(
                "UPDATE runs SET revoked = coalesce(revoked, $1) WHERE id = $2",
                [StoredTime.milliseconds(time), run.text])
            guard count == 1 else { throw StoreError.noSuchRun(run) }
        }
    }

    package func revoke(_ id: NotificationID, at time: Date) async throws -> Bool {
        try await write { db in
            guard let place = try NotificationPlace.find(id, db) else { return false }
            // Keeps the first time, whether of the notification or its run.
            let run = try db.row("SELECT revoked FROM runs WHERE key = $1", [place.run])
            guard let run, run.isNull(0) else { return run != nil }
            // Before the notification, since a purge locks the run first, which this refers to.
            try db.execute(
                """
                INSERT INTO revoked_notifications (run, number) VALUES ($1, $2)
                ON CONFLICT (run, number) DO NOTHING
                """, [place.run, place.number])
            try db.execute(
                """
                UPDATE notifications SET revoked = $3
                WHERE run = $1 AND number = $2 AND revoked IS NULL
                """, [place.run, place.number, StoredTime.milliseconds(time)])
            return true
        }
    }
}
