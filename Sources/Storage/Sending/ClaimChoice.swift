package import CampaignCore

/// Whom a page goes to, and who is skipped for good: by a revoked payload, the cap, or without need
/// of a fallback.
package struct ClaimChoice {
    package private(set) var claims: [DeliveryClaim] = []
    package private(set) var skipped: [(claim: DeliveryClaim, reason: String)] = []

    /// The last one that was decided about.
    package var last: Int? {
        [claims.last?.number, skipped.last?.claim.number].compactMap(\.self).max()
    }

    /// Decides, in order, until there are enough claims.
    ///
    /// `pushes` is only asked under a cap. `objection` says why somebody needs no fallback; nil:
    /// they need one.
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

    /// How many people to look at under a cap: more than are claimed, since many in a row may be
    /// capped, within a limit.
    package static func candidates(for limit: Int, atMost most: Int) -> Int {
        min(most, max(1_000, 20 * limit))
    }
}
