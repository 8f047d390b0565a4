package import CampaignCore
package import FoundationEssentials
import GRDB

extension SQLiteStore {
    package func revoke(_ run: RunID, at time: Date) async throws {
        try await save { db in
            let key = try RunKey(of: run, db)
            // The first time stays: from then on nobody could fetch them.
            try db.execute(
                sql: "UPDATE runs SET revoked = coalesce(revoked, ?) WHERE key = ?",
                arguments: [Timestamp.milliseconds(time), key.value])
            try RowSeal.renew(run: key.value, db)
        }
    }
}
