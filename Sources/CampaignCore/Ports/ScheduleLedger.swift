#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Remembers when each schedule was first seen, and finds unfinished runs.
package protocol ScheduleLedger: Sendable {
    /// Unfinished runs, newest first, without rehearsals; fast however many have ended.
    func unfinished(campaign: String?, at hub: HubIdentity) async throws -> [RunRecord]
    /// When a campaign was first seen with this schedule; recorded on the first call.
    ///
    /// A changed schedule is a new one: its earlier times were never meant to be sent. If the clock
    /// was set back, the recorded time moves back too.
    func firstSight(
        of schedule: String, campaign: String, at hub: HubIdentity, now: Date
    ) async throws -> Date
    /// When the store was started, at the latest; recorded on the first call.
    ///
    /// A store older than a scheduled start knows whether it was sent.
    func began(now: Date) async throws -> Date
}
