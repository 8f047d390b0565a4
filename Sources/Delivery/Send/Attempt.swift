import CampaignCore

/// One push on its way to an outcome, with what this process has tried.
struct Attempt: Hashable, Sendable {
    /// Whom it goes to; more than one when they share a request.
    ///
    /// A slice, so that a page of pushes is one allocation.
    private(set) var claims: ArraySlice<DeliveryClaim>
    /// When this process first handed it over, on the run's timeline; nil before.
    var firstTry: Duration?
    /// When it did so last.
    var lastTry: Duration?
    /// When its first result came; `retry.for` counts from here, since the push may have waited long for its turn before.
    var firstResult: Duration?
    /// Tries of this process.
    var tries = 0
    /// Whether a try of this process may have gone out without a known answer.
    var isUncertain = false
    /// Tries of this process that ended in a lost answer: these count against `retry.attempts`.
    var failures = 0
    /// When the first try of the current row of tries without a connection came back; nil: the last try had a connection.
    var refusedSince: Duration?
    /// Retries of this process, throttled ones included: these lengthen the wait.
    var retries = 0

    init(_ claims: ArraySlice<DeliveryClaim>) {
        self.claims = claims
    }

    /// The number of one of its recipients; all who share a push are in the same wave.
    var number: Int { claims.first?.number ?? 0 }

    /// The pushes of a page.
    ///
    /// - Parameters:
    ///   - claims: deliveries of one platform, by number.
    ///   - size: how many may share a request, at least 1. Only people who get the same notification do, wherever they stand.
    /// - Returns: the pushes, with those of one notification together.
    static func pushes(of claims: [DeliveryClaim], sharedBy size: Int) -> [Attempt] {
        let claims = size > 1 ? together(claims) : claims
        // A span is read in place; a claim that is taken out of an array is copied.
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

    /// The claims, those of one notification together, in the order in which the notifications first appear.
    private static func together(_ claims: [DeliveryClaim]) -> [DeliveryClaim] {
        // Of one language, they are together already; people with payloads of their own share nothing.
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

    /// A copy that does not keep the page that it came from in memory.
    var detached: Attempt {
        var copy = self
        copy.claims = ArraySlice(Array(claims))
        return copy
    }
}
