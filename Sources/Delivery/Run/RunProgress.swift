package import CampaignCore
package import FoundationEssentials

package struct RunProgress: Hashable, Sendable {
    package let run: RunID
    package let deliveries: Int
    /// Of all processes; deliveries without an outcome count as `not_attempted`.
    package let outcomes: OutcomeCounts
    /// Of all processes.
    package let requests: Int
    /// Requests a second over the last seconds, of all processes.
    package let rate: Double
    package let started: Date
    package var trouble: HubTrouble?
    package var others = 0
}
