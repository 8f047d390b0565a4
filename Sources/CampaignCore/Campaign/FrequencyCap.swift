package import FoundationEssentials

/// How often one person may be reached on one platform, across campaigns: the `frequency_cap` key.
///
/// Every push to the same hub that went out, may have gone out or is about to counts; those of rehearsals do not. It is looked at when a
/// push is first due: one that was begun is not held back on its retries.
package struct FrequencyCap: Hashable, Sendable, Codable {
    /// Pushes within the time, at least 1.
    package var pushes: Int
    /// The time, which ends when a push is due.
    package var period: Duration

    package init(pushes: Int, period: Duration) {
        self.pushes = pushes
        self.period = period
    }

    /// The beginning of the period that ends at a time.
    package func start(before time: Date) -> Date {
        time.addingTimeInterval(-(period / .seconds(1)))
    }
}

extension FrequencyCap: CustomStringConvertible {
    private static let units: [(name: String, seconds: Int64)] = [
        ("d", 24 * 60 * 60), ("h", 60 * 60), ("m", 60),
    ]

    /// As the campaign file writes it, such as `3 pushes per 1h`.
    package var description: String {
        let seconds = period.components.seconds
        let unit = Self.units.first { seconds % $0.seconds == 0 } ?? ("s", 1)
        return
            "\(pushes) \(pushes == 1 ? "push" : "pushes") per \(seconds / unit.seconds)\(unit.name)"
    }
}
