import CampaignCore

/// A push and the tries that this process has made.
struct Attempt: Hashable, Sendable {
    /// The recipients, more than one if people share the request.
    ///
    /// This is a slice, so that a page of pushes is one allocation.
    private(set) var claims: ArraySlice<DeliveryClaim>
    /// The time on the run's timeline; nil before the first try.
    var firstTry: Duration?
    var lastTry: Duration?
    /// `retry.for` is measured from here, because the first try may have been in flight for a long
    /// time.
    var firstResult: Duration?
    var tries = 0
    /// Whether a try by this process may have been sent without being answered.
    var isUncertain = false
    /// Answers that were lost in this process; they count against `retry.attempts`.
    var failures = 0
    /// When the current series of tries without a connection started; nil if the last try had a
    /// connection.
    var refusedSince: Duration?
    /// The number of retries, including throttled ones, which determines the backoff.
    var retries = 0

    init(_ claims: ArraySlice<DeliveryClaim>) {
        self.claims = claims
    }

    /// The number of one of the recipients; people who share a push are in the same wave.
    var number: Int { claims.first?.number ?? 0 }

    /// Groups deliveries of one platform by notification, into pushes for up to `size` people each.
    static func pushes(of claims: [DeliveryClaim], sharedBy size: Int) -> [Attempt] {
        let claims = size > 1 ? together(claims) : claims
        // A span is read in place, while an array would copy each claim.
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

    /// Groups claims by notification, in order of first appearance.
    private static func together(_ claims: [DeliveryClaim]) -> [DeliveryClaim] {
        // With one language, the claims are already grouped; personal payloads are never shared.
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
