/// How many people have a device on each platform: counted, or estimated from a sample.
package struct ReachEstimate: Hashable, Sendable {
    package struct People: Hashable, Sendable {
        /// The estimate; exact if everybody was looked up.
        package let count: Int
        /// The bounds at a confidence level of 95%.
        package let bounds: ClosedRange<Int>
    }

    /// The quantile of the normal distribution for a confidence level of 95%.
    private static let quantile = 1.959_964

    package let people: Int
    package let asked: Int
    /// The platforms in the campaign's order.
    package let platforms: [Platform]
    /// The number of people found per platform, among those who were looked up.
    private let found: [Platform: Int]
    /// People who were looked up and have no device on any platform.
    private let without: Int

    /// - Parameter asked: how many different people were looked up, at most `people`.
    package init(
        people: Int, asked: Int, platforms: [Platform], found: [Platform: Int], without: Int
    ) {
        self.people = people
        self.asked = asked
        self.platforms = platforms
        self.found = found
        self.without = without
    }

    package var isSample: Bool { asked < people }

    package func people(on platform: Platform) -> People { estimate(found[platform] ?? 0) }

    package var peopleWithoutDevice: People { estimate(without) }

    /// Extrapolates with the score interval of Wilson (1927), within the bounds that the sample
    /// proves.
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
