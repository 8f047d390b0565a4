package import CampaignCore

/// The totals, without names, that remain of a run after its deliveries are deleted.
package struct RunSums: Codable, Hashable, Sendable {
    private struct Platforms: Codable, Hashable, Sendable {
        let platform: Platform
        let outcomes: [String: Int]
    }

    private struct Wave: Codable, Hashable, Sendable {
        let outcomes: [String: Int]
        let tooLate: Int
        let expired: Int
        let revoked: Int
    }

    private struct Reason: Codable, Hashable, Sendable {
        let outcome: Outcome
        let reason: String
        let count: Int
    }

    /// The maximum number of reasons shown anywhere.
    private static let mostReasons = 50

    /// The number of people with at least one push attempt.
    package let tried: Int
    private let platforms: [Platforms]
    private let waves: [Wave]
    private let tooLate: Int
    private let expired: Int
    private let revoked: Int
    private let accepted: Int
    private let fetched: Int
    private let read: Int
    private let reasons: [Reason]

    /// Computes a run's totals, which takes a second or more for a million rows.
    init(of run: StoredRun, _ db: any SQLConnection) throws {
        let (outcomes, reach) = (try run.outcomes(db), try run.reach(db))
        platforms = try run.platformOutcomes(db).map {
            Platforms(platform: $0.platform, outcomes: $0.outcomes.stored)
        }
        waves = try run.waveOutcomes(db).map(\.outcomes).map {
            Wave(
                outcomes: $0.stored, tooLate: $0.tooLate, expired: $0.expired, revoked: $0.revoked)
        }
        tried = try run.peopleTried(db)
        (tooLate, expired, revoked) = (outcomes.tooLate, outcomes.expired, outcomes.revoked)
        (accepted, fetched, read) = (reach.accepted, reach.fetched, reach.read)
        reasons = try run.namelessReasons(limit: Self.mostReasons, db).map {
            Reason(outcome: $0.outcome, reason: $0.reason, count: $0.count)
        }
    }

    /// nil while the run's deliveries exist.
    package static func kept(of run: StoredRun, _ db: any SQLConnection) throws -> RunSums? {
        guard run.deliveriesDeleted != nil else { return nil }
        let isWhole = db.dialect.sealOfSums.map { "seal = \($0)" } ?? "true"
        let found = try db.row("SELECT sums, \(isWhole) FROM run_sums WHERE run = ?1", [run.key]) {
            (text: try $0.text(0), isWhole: try $0.bool(1))
        }
        guard let found, found.isWhole else { throw DamagedValue() }
        let sums: RunSums = try StoredJSON.decode(found.text)
        for (outcome, count) in sums.platforms.flatMap(\.outcomes)
        where Outcome(rawValue: outcome) == nil || count <= 0 { throw DamagedValue() }
        return sums
    }

    /// The platforms in the run's order.
    package var platformOutcomes: [PlatformOutcomes] {
        platforms.map { PlatformOutcomes($0.platform, OutcomeCounts(stored: $0.outcomes)) }
    }

    package var outcomes: OutcomeCounts {
        var counts = platformOutcomes.reduce(into: OutcomeCounts()) { $0.add($1.outcomes) }
        (counts.tooLate, counts.expired, counts.revoked) = (tooLate, expired, revoked)
        return counts
    }

    /// The progress of the run's waves; throws ``DamagedValue`` if it differs from the totals.
    package func standings(of all: [RunWave]) throws -> [WaveOutcomes] {
        guard all.count == waves.count else { throw DamagedValue() }
        return zip(all, waves).map { wave, sums in
            WaveOutcomes(
                wave: wave,
                outcomes: OutcomeCounts(
                    stored: sums.outcomes, tooLate: sums.tooLate, expired: sums.expired,
                    revoked: sums.revoked))
        }
    }

    package var reach: Reach { Reach(accepted: accepted, fetched: fetched, read: read) }

    /// The reasons, most frequent first, without names.
    package var troubleReasons: [TroubleReason] {
        reasons.map {
            TroubleReason(outcome: $0.outcome, reason: $0.reason, count: $0.count, example: nil)
        }
    }

    /// Must be called in the transaction that begins the deletion.
    func keep(of run: Int64, _ db: any SQLConnection) throws {
        // The checksum is written together with the row.
        let seal = db.dialect.sealOfSums == nil ? ("", "") : (", seal", ", 0")
        try db.run(
            "INSERT INTO run_sums (run, sums\(seal.0)) VALUES (?1, ?2\(seal.1))",
            [run, try StoredJSON.encode(self)])
    }
}
