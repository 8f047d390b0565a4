import CampaignCore
import GRDB
import Storage

/// What stays of a run whose deliveries were deleted: sums, and nobody's name.
struct RunSums: Codable, Hashable, Sendable {
    /// The outcomes on one platform.
    private struct Platforms: Codable, Hashable, Sendable {
        let platform: String
        let outcomes: [String: Int]
    }

    /// The outcomes in one wave.
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

    /// How many reasons are kept: as many as are shown anywhere.
    private static let mostReasons = 50

    /// People to whom there was a try to push.
    let tried: Int
    private let platforms: [Platforms]
    /// In their order; none where the run has no waves.
    private let waves: [Wave]
    private let tooLate: Int
    private let expired: Int
    private let revoked: Int
    private let accepted: Int
    private let fetched: Int
    private let read: Int
    private let reasons: [Reason]

    /// Adds up a run whose deliveries are there; a million rows take about a second.
    ///
    /// - Parameters:
    ///   - run: the run.
    ///   - db: any connection, in one transaction.
    init(of run: StoredRun, _ db: Database) throws {
        let outcomes = try SQLiteStore.outcomes(of: run, db)
        let reach = try SQLiteStore.reach(of: run, db)
        tried = try SQLiteStore.peopleTried(by: run, db)
        platforms = try SQLiteStore.platformOutcomes(of: run, db).map { platform in
            Platforms(
                platform: platform.platform.rawValue, outcomes: Self.named(platform.outcomes))
        }
        waves = try SQLiteStore.waveStandings(of: run, db).map { standing in
            let outcomes = standing.outcomes
            return Wave(
                outcomes: Self.named(outcomes), tooLate: outcomes.tooLate,
                expired: outcomes.expired, revoked: outcomes.revoked)
        }
        (tooLate, expired, revoked) = (outcomes.tooLate, outcomes.expired, outcomes.revoked)
        (accepted, fetched, read) = (reach.accepted, reach.fetched, reach.read)
        reasons = try SQLiteStore.reasons(of: run, limit: Self.mostReasons, isNameless: true, db)
            .map { Reason(outcome: $0.outcome, reason: $0.reason, count: $0.count) }
    }

    /// The sums of a run.
    ///
    /// - Returns: nil while the run's deliveries are there.
    /// - Throws: `DatabaseError.damaged` when they are not what was written.
    static func kept(of run: StoredRun, _ db: Database) throws -> RunSums? {
        guard run.deliveriesDeleted != nil else { return nil }
        let query = try NativeStatement("SELECT \(sealed), seal FROM run_sums WHERE run = ?", db)
        query.bind(run.key, at: 1)
        var found: RunSums?
        try query.forEachRow { row in
            guard row.digest(sealedCount) == Int64(row.integer(sealedCount)) else {
                throw DatabaseError.damaged
            }
            found = try StoredJSON.decode(try row.requiredText(1))
        }
        guard let found, found.isGood else { throw DatabaseError.damaged }
        return found
    }

    /// Writes them down, in the transaction in which the deletion begins.
    ///
    /// - Parameters:
    ///   - run: the run's key.
    ///   - db: the connection that writes.
    func keep(of run: Int64, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO run_sums (run, sums, seal) VALUES (?, ?, 0)",
            arguments: [run, try StoredJSON.encode(self)])
        let query = try NativeStatement(
            "SELECT \(Self.sealed) FROM run_sums WHERE run = ?", db)
        query.bind(run, at: 1)
        var seal: Int64 = 0
        try query.forEachRow { seal = $0.digest(Self.sealedCount) }
        try db.execute(
            sql: "UPDATE run_sums SET seal = ? WHERE run = ?", arguments: [seal, run])
    }

    private static func named(_ outcomes: OutcomeCounts) -> [String: Int] {
        var counts: [String: Int] = [:]
        for outcome in Outcome.allCases where outcomes[outcome] > 0 {
            counts[outcome.rawValue] = outcomes[outcome]
        }
        return counts
    }

    private static func counts(_ named: [String: Int]) -> OutcomeCounts {
        var outcomes = OutcomeCounts()
        for outcome in Outcome.allCases { outcomes[outcome] = named[outcome.rawValue] ?? 0 }
        return outcomes
    }

    private static let sealed = "run, sums"
    private static let sealedCount: Int32 = 2

    /// Whether every word in them is one of ours.
    private var isGood: Bool {
        platforms.allSatisfy { platform in
            Platform(rawValue: platform.platform) != nil
                && platform.outcomes.allSatisfy { Outcome(rawValue: $0.key) != nil && $0.value > 0 }
        }
    }
}

extension RunSums {
    /// The outcomes on each platform, as the run lists them.
    var platformOutcomes: [PlatformOutcomes] {
        platforms.compactMap { sums in
            Platform(rawValue: sums.platform).map { platform in
                PlatformOutcomes(platform, Self.counts(sums.outcomes))
            }
        }
    }

    /// The outcomes of all deliveries.
    var outcomes: OutcomeCounts {
        var counts = OutcomeCounts()
        for platform in platformOutcomes {
            for outcome in Outcome.allCases { counts[outcome] += platform.outcomes[outcome] }
        }
        (counts.tooLate, counts.expired, counts.revoked) = (tooLate, expired, revoked)
        return counts
    }

    /// How far the waves are.
    ///
    /// - Parameter all: the run's waves, in their order.
    /// - Throws: `DatabaseError.damaged` when these are others than those of the sums.
    func standings(of all: [RunWave]) throws -> [WaveStanding] {
        guard all.count == waves.count else { throw DatabaseError.damaged }
        return zip(all, waves).map { wave, sums in
            var outcomes = Self.counts(sums.outcomes)
            (outcomes.tooLate, outcomes.expired, outcomes.revoked) =
                (sums.tooLate, sums.expired, sums.revoked)
            return WaveStanding(wave: wave, outcomes: outcomes)
        }
    }

    var reach: Reach { Reach(accepted: accepted, fetched: fetched, read: read) }

    /// The reasons, the most frequent first, without anybody whom they met.
    var troubleReasons: [TroubleReason] {
        reasons.map {
            TroubleReason(outcome: $0.outcome, reason: $0.reason, count: $0.count, example: nil)
        }
    }
}
