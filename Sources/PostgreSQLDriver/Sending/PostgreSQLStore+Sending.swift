package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func record(
        _ records: [DeliveryRecord], requests: Int, of run: RunID
    ) async throws {
        try await write { db in
            let key = try db.record(records, of: run)
            guard requests > 0 else { return }
            // This is done last, because every host of the run waits for this row.
            try db.execute(
                "UPDATE runs SET requests = requests + $2 WHERE key = $1", [key, requests])
        }
    }

    package func endRemaining(
        _ run: RunID, as outcome: Outcome, because reason: SkipReason?, detail: String,
        at time: Date
    ) async throws {
        try await write { db in
            // After this, parts write nothing.
            try RunMember.end(of: StoredRun(of: run, db).key, db)
        }
        // With this type, only the calls in extensions of `RelationalStore` are available.
        let shared: any RelationalStore = self
        try await shared.endRemaining(
            run, as: outcome, because: reason, detail: detail, at: time)
        try await write { db in
            try ClaimedPages.removeAll(of: StoredRun(of: run, db).key, db)
        }
    }
}
