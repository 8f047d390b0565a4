/// What was claimed at once.
package struct ClaimedPage: Hashable, Sendable {
    /// Those that are `sending` now, by number.
    package var claims: [DeliveryClaim]
    /// How many were passed over for good: they have the outcome `skipped`.
    package var skipped: Int

    package init(claims: [DeliveryClaim], skipped: Int = 0) {
        self.claims = claims
        self.skipped = skipped
    }

    /// Whether there was nobody left to claim.
    package var isEmpty: Bool { claims.isEmpty && skipped == 0 }
}
