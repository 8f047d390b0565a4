package import CampaignCore
import GRDB

extension SQLiteStore {
    package func verify(_ run: RunID) async throws {
        try await read { db in
            try RowSeal.check(db)
            try RunDigests.check(RunKey(of: run, db).value, db)
        }
    }
}
