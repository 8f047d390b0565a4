package import CampaignCore
package import FoundationEssentials

extension RelationalStore {
    package func prepareRecording() async throws {}

    package func interrupted(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> [DeliveryClaim] {
        try await query { [keyring] db in
            try PlatformDeliveries(of: run, on: platform, db)
                .interrupted(after: number, limit: limit, keyring)
        }
    }

    package func waiting(
        _ run: RunID, platform: Platform, after number: Int, through last: Int?, limit: Int
    ) async throws -> [DeliveryClaim] {
        try await query { [keyring] db in
            try PlatformDeliveries(of: run, on: platform, db)
                .waiting(after: number, through: last, limit: limit, keyring)
        }
    }

    package func unclaimed(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> (people: [Username], last: Int) {
        try await query { db in
            try PlatformDeliveries(of: run, on: platform, db).unclaimed(after: number, limit: limit)
        }
    }

    package func capped(
        _ people: [Username], on platform: Platform, at hub: HubIdentity, besides run: RunID?,
        by cap: FrequencyCap, at time: Date
    ) async throws -> Int {
        try await query { db in
            let counts = try PushCounts(
                of: people, on: platform, at: hub.description,
                besides: try run.map { try StoredRun(of: $0, db) },
                since: cap.start(before: time), db)
            return people.count { counts[$0] >= cap.pushes }
        }
    }

    package func claimNext(
        _ run: RunID, platform: Platform, wave: Int?, limit: Int, cap: FrequencyCap?, at time: Date
    ) async throws -> ClaimedPage {
        let claim = PageClaim(
            run: run, platform: platform, wave: wave, limit: limit, cap: cap, time: time,
            keyring: keyring)
        try await prepareRecording()
        return try await update(isOfRun: true) { db in try claim.claim(db) }
    }

    package func claimAgain(
        _ run: RunID, platform: Platform, numbers: [Int], at time: Date
    ) async throws {
        try await prepareRecording()
        let time = StoredTime.milliseconds(time)
        let most = TransactionLimit.rows
        for first in stride(from: 0, to: numbers.count, by: most) {
            let slice = numbers[first..<min(first + most, numbers.count)]
            try await update(isOfRun: true) { db in
                try PlatformDeliveries(of: run, on: platform, db).claimAgain(slice, at: time)
            }
        }
    }

    package func endRemaining(
        _ run: RunID, as outcome: Outcome, because reason: SkipReason?, detail: String,
        at time: Date
    ) async throws {
        let ending = PlatformDeliveries.Ending(
            outcome: outcome, reason: reason, detail: detail, time: StoredTime.milliseconds(time))
        let (positions, last) = try await query { db in
            let stored = try StoredRun(of: run, db)
            return (try RunPlatform.all(of: stored, db).map(\.position), try stored.lastNumber(db))
        }
        let most = TransactionLimit.rows
        for position in positions {
            for first in stride(from: 1, through: last, by: most) {
                let numbers = first...min(first + most - 1, last)
                try await update(isOfRun: true) { db in
                    try PlatformDeliveries.end(
                        numbers, of: StoredRun(of: run, db), on: position, last: last, as: ending,
                        db)
                }
            }
        }
    }
}
