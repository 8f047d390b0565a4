#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Reads what a process that sends a run needs to know of it.
package protocol RunView: Sendable {
    func stopRequest(_ run: RunID) async throws -> StopMode?
    /// Empty if everybody's turn is at once.
    func waves(_ run: RunID) async throws -> [RunWave]
    /// The outcomes so far; deliveries without one count as `not_attempted`.
    func outcomes(_ run: RunID) async throws -> OutcomeCounts
}

/// Reads runs and their outcomes.
///
/// Once a run's deliveries are deleted (``RunRecord/deliveriesDeleted``), its sums remain. Queries
/// about its people then throw, except those about one person, which find no rows.
package protocol RunHistory: RunView {
    func run(_ id: RunID) async throws -> RunRecord?
    /// The run of an occurrence; rehearsals have none.
    func run(hub: HubIdentity, campaign: String, occurrence: Occurrence) async throws -> RunRecord?
    /// Newest first; nil for all campaigns.
    func runs(campaign: String?, limit: Int) async throws -> [RunRecord]
    func runs(_ search: RunSearch) async throws -> [RunRecord]
    /// Checks everything stored of a run for damage, and throws if any; a million rows take a
    /// second.
    func verify(_ run: RunID) async throws
    /// Empty if the run has no waves.
    func waveStandings(_ run: RunID) async throws -> [WaveStanding]

    // MARK: Forecasts

    /// The next people never claimed on a platform, by name; nothing is marked, empty at the end.
    ///
    /// Each page is of one wave, and names start again with each wave. `number` is the `last` of
    /// the page before, 0 at first.
    func unclaimed(_ run: RunID, platform: Platform, after number: Int, limit: Int) async throws
        -> (people: [Username], last: Int)
    /// How many of `people` (in name order) have reached a cap; pushes of `run` do not count.
    func capped(
        _ people: [Username], on platform: Platform, at hub: HubIdentity, besides run: RunID?,
        by cap: FrequencyCap, at time: Date
    ) async throws -> Int

    // MARK: Reports

    /// A page of a run's deliveries by name, then platform as listed; empty at the end.
    ///
    /// Pages hold whole recipients. `number` is the `last` of the page before, 0 at first.
    func reportPage(_ run: RunID, after number: Int, recipients: Int) async throws
        -> (rows: [ReportRow], last: Int)
    func reportRows(_ run: RunID, of recipient: Username) async throws -> [ReportRow]
    /// A page, by name, of the people who have a delivery with one of the given outcomes.
    ///
    /// Ignores deliveries skipped as ``SkipReason/notAskedFor``; those without an outcome count as
    /// `not_attempted`. A page may be empty before the end; `last` is nil at the end.
    ///
    /// - Parameter recipients: how many recipients to look at.
    func rest(of run: RunID, with outcomes: Set<Outcome>, after number: Int, recipients: Int)
        async throws -> (people: [RestMember], last: Int?)
    /// A page, by name, of a run's people, for another run's audience.
    ///
    /// Counts deliveries and ends like ``rest(of:with:after:recipients:)``; nil `outcomes` or
    /// `fetched` match everybody.
    func people(
        of run: RunID, with outcomes: Set<Outcome>?, fetched: Bool?, after number: Int,
        recipients: Int
    ) async throws -> (people: [Username], last: Int?)
    /// Why deliveries were refused, failed or have no answer, the most frequent reasons first.
    ///
    /// Grouped by outcome and ``TroubleReason/essence(of:)``. Counts need not add up to all;
    /// reasons name nobody once the run's deliveries were deleted.
    func reasons(_ run: RunID, limit: Int) async throws -> [TroubleReason]
    func reach(_ run: RunID) async throws -> Reach

    // MARK: Fallbacks

    /// Runs whose payload can still be fetched and whose fallbacks are not complete, earliest
    /// first.
    ///
    /// Called every minute, so its cost must not grow with the number of other runs.
    func followable(campaign: String, at hub: HubIdentity, now: Date) async throws -> [RunRecord]
    /// Whether any delivery was accepted (after `time`, if given); called every minute.
    func hasAccepted(_ run: RunID, after time: Date?) async throws -> Bool
    func isFetched(_ run: RunID) async throws -> Bool

    // MARK: People

    /// Those of some people who were forgotten; throws if the key that recognises them is missing.
    func forgotten(among people: [Username]) async throws -> Set<Username>
}

/// A person, with the platforms whose deliveries ended in one of the given outcomes.
package struct RestMember: Hashable, Sendable {
    package let username: Username
    /// Never empty.
    package let platforms: Set<Platform>

    package init(username: Username, platforms: Set<Platform>) {
        self.username = username
        self.platforms = platforms
    }
}
