/// How many people a campaign may reach; who they are comes from ``AudienceSource``.
package struct AudienceRule: Hashable, Sendable {
    /// Fewer final recipients than this refuse the run as a truncated export; at least 1.
    package let minimum: Int
    /// More final recipients than this refuse the run as a mistake; nil for no bound.
    package let maximum: Int?

    package init(minimum: Int = 1, maximum: Int? = nil) {
        self.minimum = max(1, minimum)
        self.maximum = maximum
    }
}
