package import CampaignCore

/// What stays of a run whose deliveries were deleted: sums, and nobody's name.
package struct RunSums: Codable, Hashable, Sendable {
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
    package static let mostReasons = 50

    /// People to whom there was a try to push.
    package let tried: Int
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

    /// Takes what a run was added up to while its deliveries were there.
    ///
    /// - Parameters:
    ///   - outcomes: of all deliveries; what is counted apart of them is kept.
    ///   - platforms: the outcomes on each platform, as the run lists them.
    ///   - waves: how far each wave is, in order; empty where the run has none.
    ///   - tried: people to whom there was a try to push.
    ///   - reach: how far it came.
    ///   - reasons: the most frequent first, with nobody's name in them.
    package init(
        outcomes: OutcomeCounts, platforms: [PlatformOutcomes], waves: [WaveStanding], tried: Int,
        reach: Reach, reasons: [TroubleReason]
    ) {
        self.tried = tried
        self.platforms = platforms.map { platform in
            Platforms(
                platform: platform.platform.rawValue, outcomes: Self.named(platform.outcomes))
        }
        self.waves = waves.map { standing in
            let outcomes = standing.outcomes
            return Wave(
                outcomes: Self.named(outcomes), tooLate: outcomes.tooLate,
                expired: outcomes.expired, revoked: outcomes.revoked)
        }
        (tooLate, expired, revoked) = (outcomes.tooLate, outcomes.expired, outcomes.revoked)
        (accepted, fetched, read) = (reach.accepted, reach.fetched, reach.read)
        self.reasons = reasons.prefix(Self.mostReasons).map {
            Reason(outcome: $0.outcome, reason: $0.reason, count: $0.count)
        }
    }

    /// Reads what ``encoded()`` wrote.
    ///
    /// - Throws: ``DamagedValue`` for anything else.
    package init(encoded text: String) throws {
        self = try StoredJSON.decode(text)
        guard isGood else { throw DamagedValue() }
    }

    /// As JSON.
    package func encoded() throws -> String { try StoredJSON.encode(self) }

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
    package var platformOutcomes: [PlatformOutcomes] {
        platforms.compactMap { sums in
            Platform(rawValue: sums.platform).map { platform in
                PlatformOutcomes(platform, Self.counts(sums.outcomes))
            }
        }
    }

    /// The outcomes of all deliveries.
    package var outcomes: OutcomeCounts {
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
    /// - Throws: ``DamagedValue`` when these are others than those of the sums.
    package func standings(of all: [RunWave]) throws -> [WaveStanding] {
        guard all.count == waves.count else { throw DamagedValue() }
        return zip(all, waves).map { wave, sums in
            var outcomes = Self.counts(sums.outcomes)
            (outcomes.tooLate, outcomes.expired, outcomes.revoked) =
                (sums.tooLate, sums.expired, sums.revoked)
            return WaveStanding(wave: wave, outcomes: outcomes)
        }
    }

    package var reach: Reach { Reach(accepted: accepted, fetched: fetched, read: read) }

    /// The reasons, the most frequent first, without anybody whom they met.
    package var troubleReasons: [TroubleReason] {
        reasons.map {
            TroubleReason(outcome: $0.outcome, reason: $0.reason, count: $0.count, example: nil)
        }
    }
}
