#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Stores when each schedule was first seen, and finds unfinished runs.
package protocol ScheduleLedger: Sendable {
    /// Unfinished runs, newest first, without rehearsals. The query is fast regardless of the
    /// number of finished runs.
    func unfinished(campaign: String?, at hub: HubIdentity) async throws -> [RunRecord]
    /// Returns the time when a campaign was first seen with this schedule; the first call records
    /// that time.
    ///
    /// A changed schedule is treated as new, because its earlier times were never meant to be sent.
    /// If the clock was set back, the recorded time moves back too.
    func firstSight(
        of schedule: String, campaign: String, at hub: HubIdentity, now: Date
    ) async throws -> Date
    /// The earliest time at which the store is known to have existed; the first call records it.
    ///
    /// A store that is older than a scheduled start knows whether that start was sent.
    func began(now: Date) async throws -> Date
}
