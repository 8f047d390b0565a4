package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    /// What all stores do, for calls that only a part does differently.
    ///
    /// As this type, it has no calls but those in extensions of `RelationalStore`.
    private var shared: any RelationalStore { self }

    package func interrupted(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> [DeliveryClaim] {
        // A part knows its own, and others' remains are settled for it.
        guard part == nil else { return [] }
        return try await shared.interrupted(run, platform: platform, after: number, limit: limit)
    }

    package func waiting(
        _ run: RunID, platform: Platform, after number: Int, through last: Int?, limit: Int
    ) async throws -> [DeliveryClaim] {
        guard let part else {
            return try await shared.waiting(
                run, platform: platform, after: number, through: last, limit: limit)
        }
        return try await adopt(
            run, on: platform, number..<max(number, last ?? .max), limit: limit, for: part)
    }

    package func claimNext(
        _ run: RunID, platform: Platform, wave: Int?, limit: Int, cap: FrequencyCap?, at time: Date
    ) async throws -> ClaimedPage {
        guard let part else {
            return try await shared.claimNext(
                run, platform: platform, wave: wave, limit: limit, cap: cap, at: time)
        }
        let claim = PageClaim(
            run: run, platform: platform, wave: wave, limit: limit, cap: cap, time: time,
            keyring: keyring)
        return try await make(claim, for: part)
    }

    package func claimAgain(
        _ run: RunID, platform: Platform, numbers: [Int], at time: Date
    ) async throws {
        guard let part else {
            return try await shared.claimAgain(run, platform: platform, numbers: numbers, at: time)
        }
        try await claimAgain(numbers, of: run, on: platform, at: time, for: part)
    }

    package func record(
        _ records: [DeliveryRecord], requests: Int, of run: RunID
    ) async throws {
        let part = part
        // The hub's answers are recorded even when nothing new is begun.
        try await write(despiteCancellation: true) { db in
            let stored = try StoredRun(of: run, db)
            let platforms = try RunPlatform.all(of: stored, db)
            let rows = try DeliveryRows(records, of: part?.member) { platform in
                try platforms.position(of: platform, in: run)
            }
            try rows.write(to: stored, db)
            // A part reports its requests itself; twice would count them double.
            guard part == nil, requests > 0 else { return }
            // Last, since every host of the run waits for this row.
            try db.execute(
                "UPDATE runs SET requests = requests + $2 WHERE key = $1", [stored.key, requests])
        }
    }

    package func endRemaining(
        _ run: RunID, as outcome: Outcome, because reason: SkipReason?, detail: String,
        at time: Date
    ) async throws {
        try await write { db in
            // Parts write nothing after this.
            try RunMembers.takeOverAll(of: StoredRun(of: run, db).key, db)
        }
        try await end(run, as: outcome, because: reason, detail: detail, at: time)
        try await write { db in
            try ClaimedPages.removeAll(of: StoredRun(of: run, db).key, db)
        }
    }
}
