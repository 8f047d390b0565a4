import CampaignCore

/// Whom a page goes to when some people have had as many pushes as they may.
struct CappedChoice {
    private(set) var claims: [DeliveryClaim] = []
    private(set) var skipped: [DeliveryClaim] = []

    /// The last one that was decided about; nil when there was nobody.
    var last: Int? {
        [claims.last?.number, skipped.last?.number].compactMap(\.self).max()
    }

    /// Decides, in order, until there are enough claims.
    ///
    /// - Parameters:
    ///   - candidates: the people, by number.
    ///   - limit: how many to claim, at least 1.
    ///   - cap: how many pushes a person may get.
    ///   - counts: how many they had.
    init(_ candidates: [DeliveryClaim], limit: Int, cap: FrequencyCap, counts: PushCounts) {
        for candidate in candidates {
            if claims.count == limit { return }
            if counts[candidate.username] >= cap.pushes {
                skipped.append(candidate)
            } else {
                claims.append(candidate)
            }
        }
    }
}
