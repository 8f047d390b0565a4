/// How many of an audience have a device on each platform: counted, or estimated from a sample.
package struct ReachEstimate: Hashable, Sendable {
    /// A number of people, with its bounds where it is an estimate.
    package struct People: Hashable, Sendable {
        /// The best guess; exact where everybody was asked.
        package let count: Int
        /// With a confidence of 95 percent, it is no fewer and no more than these.
        package let bounds: ClosedRange<Int>
    }

    /// The quantile of the normal distribution for 95 percent.
    private static let quantile = 1.959_964

    /// How many people the campaign reaches.
    package let people: Int
    /// How many of them the hub was asked about.
    package let asked: Int
    /// In the campaign's order.
    package let platforms: [Platform]
    /// How many of those who were asked about have a device on each platform.
    private let found: [Platform: Int]
    /// How many of those who were asked about have none on any of them.
    private let without: Int

    /// Takes what a hub said.
    ///
    /// - Parameters:
    ///   - people: how many the campaign reaches.
    ///   - asked: how many of them the hub was asked about, each once; at most `people`.
    ///   - platforms: those of the campaign, in its order.
    ///   - found: how many of these have a device on each platform.
    ///   - without: how many of these have none on any.
    package init(
        people: Int, asked: Int, platforms: [Platform], found: [Platform: Int], without: Int
    ) {
        self.people = people
        self.asked = asked
        self.platforms = platforms
        self.found = found
        self.without = without
    }

    /// Whether not everybody was asked about, so that all numbers are estimates.
    package var isSample: Bool { asked < people }

    /// How many people have a device on a platform.
    package func people(on platform: Platform) -> People { estimate(found[platform] ?? 0) }

    /// How many people have no device on any platform of the campaign.
    package var peopleWithoutDevice: People { estimate(without) }

    /// From a count among those who were asked about to all: the score interval of Wilson (1927), and no bound beyond what is known
    /// of the sample itself.
    private func estimate(_ count: Int) -> People {
        guard isSample, asked > 0 else { return People(count: count, bounds: count...count) }
        let (n, z2) = (Double(asked), Self.quantile * Self.quantile)
        let share = Double(count) / n
        let center = (share + z2 / (2 * n)) / (1 + z2 / n)
        let half =
            Self.quantile / (1 + z2 / n)
            * ((share * (1 - share) / n + z2 / (4 * n * n)).squareRoot())
        let all = Double(people)
        let lower = max(count, Int((max(0, center - half) * all).rounded(.down)))
        let upper = min(
            people - (asked - count), Int((min(1, center + half) * all).rounded(.up)))
        let guess = Int((share * all).rounded())
        let bounds = min(lower, upper)...max(lower, upper)
        return People(
            count: min(max(guess, bounds.lowerBound), bounds.upperBound), bounds: bounds)
    }
}
