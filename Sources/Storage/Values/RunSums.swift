package import CampaignCore

/// What remains of a run whose deliveries were deleted: sums without names.
package struct RunSums: Codable, Hashable, Sendable {
    private struct Platforms: Codable, Hashable, Sendable {
        let platform: String
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

    /// As many reasons as are shown anywhere.
    package static let mostReasons = 50

    /// People to whom a push was tried.
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

    /// `reasons` have the most frequent first, and name nobody.
    package init(
        outcomes: OutcomeCounts, platforms: [PlatformOutcomes], waves: [WaveStanding], tried: Int,
        reach: Reach, reasons: [TroubleReason]
    ) {
        self.tried = tried
        self.platforms = platforms.map { platform in
            Platforms(
                platform: platform.platform.rawValue, outcomes: platform.outcomes.stored)
        }
        self.waves = waves.map { standing in
            let outcomes = standing.outcomes
            return Wave(
                outcomes: outcomes.stored, tooLate: outcomes.tooLate,
                expired: outcomes.expired, revoked: outcomes.revoked)
        }
        (tooLate, expired, revoked) = (outcomes.tooLate, outcomes.expired, outcomes.revoked)
        (accepted, fetched, read) = (reach.accepted, reach.fetched, reach.read)
        self.reasons = reasons.prefix(Self.mostReasons).map {
            Reason(outcome: $0.outcome, reason: $0.reason, count: $0.count)
        }
    }

    package init(encoded text: String) throws {
        self = try StoredJSON.decode(text)
        guard isGood else { throw DamagedValue() }
    }

    package func encoded() throws -> String { try StoredJSON.encode(self) }

    /// Whether every word in it is a known one.
    private var isGood: Bool {
        platforms.allSatisfy { platform in
            Platform(rawValue: platform.platform) != nil
                && platform.outcomes.allSatisfy { Outcome(rawValue: $0.key) != nil && $0.value > 0 }
        }
    }
}

extension RunSums {
    /// In the run's order.
    package var platformOutcomes: [PlatformOutcomes] {
        platforms.compactMap { sums in
            Platform(rawValue: sums.platform).map { platform in
                PlatformOutcomes(platform, OutcomeCounts(stored: sums.outcomes))
            }
        }
    }

    package var outcomes: OutcomeCounts {
        var counts = platformOutcomes.reduce(into: OutcomeCounts()) { $0.add($1.outcomes) }
        (counts.tooLate, counts.expired, counts.revoked) = (tooLate, expired, revoked)
        return counts
    }

    /// The standings of the run's waves; throws ``DamagedValue`` when they differ from those of the
    /// sums.
    package func standings(of all: [RunWave]) throws -> [WaveStanding] {
        guard all.count == waves.count else { throw DamagedValue() }
        return zip(all, waves).map { wave, sums in
            WaveStanding(
                wave: wave,
                outcomes: OutcomeCounts(
                    stored: sums.outcomes, tooLate: sums.tooLate, expired: sums.expired,
                    revoked: sums.revoked))
        }
    }

    package var reach: Reach { Reach(accepted: accepted, fetched: fetched, read: read) }

    /// The most frequent first, without names.
    package var troubleReasons: [TroubleReason] {
        reasons.map {
            TroubleReason(outcome: $0.outcome, reason: $0.reason, count: $0.count, example: nil)
        }
    }
}
