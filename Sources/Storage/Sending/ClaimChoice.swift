package import CampaignCore

/// Whom a page goes to, and who is skipped for good: people whose payload was revoked, who have had as many pushes as the cap
/// allows, or who need no fallback any more.
package struct ClaimChoice {
    package private(set) var claims: [DeliveryClaim] = []
    /// With why.
    package private(set) var skipped: [(claim: DeliveryClaim, reason: String)] = []

    /// The last one that was decided about; nil when there was nobody.
    package var last: Int? {
        [claims.last?.number, skipped.last?.claim.number].compactMap(\.self).max()
    }

    /// Decides, in order, until there are enough claims.
    ///
    /// - Parameters:
    ///   - candidates: the people, by number.
    ///   - limit: how many to claim, at least 1.
    ///   - cap: how many pushes a person may get; nil: any number.
    ///   - pushes: how many they had; asked only where there is a cap.
    ///   - objection: why somebody needs no fallback; nil when they need one, or the run is not a fallback.
    /// - Throws: what `objection` throws.
    package init(
        _ candidates: [DeliveryClaim], limit: Int, cap: FrequencyCap?,
        pushes: (Username) -> Int, objection: (Username) throws -> SkipReason?
    ) rethrows {
        for candidate in candidates {
            if claims.count == limit { return }
            if candidate.isRevoked {
                skipped.append((candidate, SkipReason.revoked.rawValue))
            } else if let objection = try objection(candidate.username) {
                skipped.append((candidate, objection.rawValue))
            } else if let cap, pushes(candidate.username) >= cap.pushes {
                skipped.append((candidate, SkipReason.capped.detail("\(cap)")))
            } else {
                claims.append(candidate)
            }
        }
    }

    /// How many people are looked at for a claim under a cap: more than are claimed, since many in a row may be capped, but not so many
    /// that a small claim does little else.
    ///
    /// - Parameters:
    ///   - limit: how many to claim.
    ///   - most: how many rows a transaction writes at most.
    package static func candidates(for limit: Int, atMost most: Int) -> Int {
        min(most, max(1_000, 20 * limit))
    }
}
