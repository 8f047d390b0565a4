import CampaignCore

/// A push with the tries of this process.
struct Attempt: Hashable, Sendable {
    /// Several if they share a request; a slice, so that a page of pushes is one allocation.
    private(set) var claims: ArraySlice<DeliveryClaim>
    /// On the run's timeline; nil before.
    var firstTry: Duration?
    var lastTry: Duration?
    /// `retry.for` counts from here, because the push may have waited long for its first try.
    var firstResult: Duration?
    var tries = 0
    /// Whether a try of this process may have gone out unanswered.
    var isUncertain = false
    /// Lost answers in this process; they count against `retry.attempts`.
    var failures = 0
    /// When the current series of tries without a connection began; nil: the last try had one.
    var refusedSince: Duration?
    /// Including throttled ones; they lengthen the wait.
    var retries = 0

    init(_ claims: ArraySlice<DeliveryClaim>) {
        self.claims = claims
    }

    /// One recipient's number; all who share a push are in the same wave.
    var number: Int { claims.first?.number ?? 0 }

    /// Groups deliveries of one platform by notification, in pushes of at most `size` people.
    static func pushes(of claims: [DeliveryClaim], sharedBy size: Int) -> [Attempt] {
        let claims = size > 1 ? together(claims) : claims
        // A span is read in place; an array would copy each claim.
        let read = claims.span
        var pushes: [Attempt] = []
        pushes.reserveCapacity((claims.count + size - 1) / size)
        var first = 0
        while first < read.count {
            var end = first + 1
            while end < read.count, end - first < size, read[end].isLike(read[first]) { end += 1 }
            pushes.append(Attempt(claims[first..<end]))
            first = end
        }
        return pushes
    }

    /// Claims grouped by notification, in order of first appearance.
    private static func together(_ claims: [DeliveryClaim]) -> [DeliveryClaim] {
        // With one language they are grouped already; personal payloads share nothing.
        let read = claims.span
        guard !claims.isEmpty, read[0].isShared,
            read.indices.contains(where: { !read[$0].isLike(read[0]) })
        else { return claims }
        var groups: [[DeliveryClaim]] = []
        var places: [NotificationID: Int] = [:]
        for claim in claims {
            let place = places[claim.notification] ?? groups.count
            if place == groups.count {
                places[claim.notification] = place
                groups.append([])
            }
            groups[place].append(claim)
        }
        return groups.flatMap(\.self)
    }

    /// A copy that does not keep its whole page in memory.
    var detached: Attempt {
        var copy = self
        copy.claims = ArraySlice(Array(claims))
        return copy
    }
}
