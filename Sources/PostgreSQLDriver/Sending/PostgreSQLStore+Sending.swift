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
            // Last, since every host of the run waits for this row.
            try db.execute(
                "UPDATE runs SET requests = requests + $2 WHERE key = $1", [key, requests])
        }
    }

    package func endRemaining(
        _ run: RunID, as outcome: Outcome, because reason: SkipReason?, detail: String,
        at time: Date
    ) async throws {
        try await write { db in
            // Parts write nothing after this.
            try RunMember.end(of: StoredRun(of: run, db).key, db)
        }
        // As this type, it has no calls but those in extensions of `RelationalStore`.
        let shared: any RelationalStore = self
        try await shared.endRemaining(
            run, as: outcome, because: reason, detail: detail, at: time)
        try await write { db in
            try ClaimedPages.removeAll(of: StoredRun(of: run, db).key, db)
        }
    }
}
