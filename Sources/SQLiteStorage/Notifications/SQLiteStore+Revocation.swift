package import CampaignCore
package import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    package func revoke(_ run: RunID, at time: Date) async throws {
        try await save { db in
            let stored = try StoredRun(of: run, db)
            // Keeps the first time, since when nobody could fetch them.
            try db.execute(
                sql: "UPDATE runs SET revoked = coalesce(revoked, ?) WHERE key = ?",
                arguments: [StoredTime.milliseconds(time), stored.key])
            try RowSeal.renew(run: stored.key, db)
        }
    }
}

extension SQLiteStore {
    package func revoke(_ id: NotificationID, at time: Date) async throws -> Bool {
        try await save { db in
            guard let place = try NotificationPlace.find(id, db) else { return false }
            // Keeps the first time, whether of the notification or its run.
            guard !place.isRevoked else { return true }
            try RunDigests.changing(notification: place.number, of: place.run, db) {
                try db.execute(
                    sql: "UPDATE notifications SET revoked = ? WHERE run = ? AND number = ?",
                    arguments: [StoredTime.milliseconds(time), place.run, place.number])
            }
            return true
        }
    }
}
