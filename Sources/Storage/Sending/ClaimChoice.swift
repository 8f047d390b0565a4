package import CampaignCore
package import FoundationEssentials

/// Whom a page goes to, and who is skipped for good: by a revoked payload, the cap, or without need
/// of a fallback.
package struct ClaimChoice {
    private let limit: Int
    package private(set) var claims: [DeliveryClaim] = []
    package private(set) var skipped: [DeliveryRecord] = []

    package init(limit: Int) {
        self.limit = limit
    }

    /// The last one that was decided about.
    package var last: Int? {
        [claims.last?.number, skipped.last?.number].compactMap(\.self).max()
    }

    /// Decides, in order, until there are enough claims.
    ///
    /// - Parameter objection: why somebody is skipped whose payload was not revoked.
    package mutating func decide(
        on candidates: [DeliveryClaim], _ platform: Platform, at time: Date,
        objection: (DeliveryClaim) -> (SkipReason, detail: String)? = { _ in nil }
    ) {
        for candidate in candidates where claims.count < limit {
            let found =
                candidate.isRevoked
                ? (.revoked, SkipReason.revoked.rawValue) : objection(candidate)
            guard let (reason, detail) = found else {
                claims.append(candidate)
                continue
            }
            skipped.append(
                DeliveryRecord(
                    number: candidate.number, platform: platform, state: .ended(.skipped),
                    skipReason: reason, attempts: 0, isUncertain: false, detail: detail,
                    hubMessage: nil, recordedAt: time))
        }
    }
}
