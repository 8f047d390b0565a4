import CampaignCore

/// Whom a page goes to, and who is passed over for good: people whose payload was taken back, or who have had as many
/// pushes as they may.
struct ClaimChoice {
    private(set) var claims: [DeliveryClaim] = []
    /// With why.
    private(set) var skipped: [(claim: DeliveryClaim, reason: String)] = []

    /// The last one that was decided about; nil when there was nobody.
    var last: Int? {
        [claims.last?.number, skipped.last?.claim.number].compactMap(\.self).max()
    }

    /// Decides, in order, until there are enough claims.
    ///
    /// - Parameters:
    ///   - candidates: the people, by number.
    ///   - limit: how many to claim, at least 1.
    ///   - cap: how many pushes a person may get, and how many they had; nil: as many as one likes.
    init(
        _ candidates: [DeliveryClaim], limit: Int, cap: (rule: FrequencyCap, counts: PushCounts)?
    ) {
        for candidate in candidates {
            if claims.count == limit { return }
            if candidate.isRevoked {
                skipped.append((candidate, SkipReason.revoked.rawValue))
            } else if let cap, cap.counts[candidate.username] >= cap.rule.pushes {
                skipped.append((candidate, SkipReason.capped.detail("\(cap.rule)")))
            } else {
                claims.append(candidate)
            }
        }
    }
}
