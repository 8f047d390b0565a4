/// When so many deliveries have ended badly that the run pauses: the `stop_when` key.
///
/// Bad ends are `rejected`, `failed` and `unknown`. Counting begins anew when a run is continued.
package struct FailureLimit: Hashable, Sendable, Codable {
    /// Ended deliveries before the share counts for anything, unless the file says otherwise.
    package static let standardMinimum = 100

    /// The share of the ended deliveries, in percent, 1 to 100.
    package var percent: Int
    /// Ended deliveries before the share counts for anything, at least 1.
    package var minimum: Int

    package init(percent: Int, minimum: Int = standardMinimum) {
        self.percent = percent
        self.minimum = minimum
    }
}
