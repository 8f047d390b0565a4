#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Reads what a process needs to know about the run that it sends.
package protocol RunView: Sendable {
    func stopRequest(_ run: RunID) async throws -> StopMode?
    /// Returns the waves; empty if everybody gets the push at the same time.
    func waves(_ run: RunID) async throws -> [RunWave]
    /// The outcomes so far; deliveries without an outcome are counted as `not_attempted`.
    func outcomes(_ run: RunID) async throws -> OutcomeCounts
}

/// Reads runs and their outcomes.
///
/// When a run's deliveries are deleted (``RunRecord/deliveriesDeleted``), its totals are kept.
/// Queries about the run's people then throw, except queries about one person, which find no rows.
package protocol RunHistory: RunView {
    func run(_ id: RunID) async throws -> RunRecord?
    /// The run of an occurrence.
    func run(hub: HubIdentity, campaign: String, occurrence: Occurrence) async throws -> RunRecord?
    /// Returns runs, newest first; a nil campaign means all campaigns.
    func runs(campaign: String?, limit: Int) async throws -> [RunRecord]
    func runs(_ search: RunSearch) async throws -> [RunRecord]
    /// Checks everything stored for a run, and throws if it is damaged. Checking a million rows
    /// takes a second.
    func verify(_ run: RunID) async throws
    /// Returns the outcomes per wave; empty if the run has no waves.
    func waveOutcomes(_ run: RunID) async throws -> [WaveOutcomes]

    // MARK: Forecasts

    /// Returns the next people who were never claimed on a platform, ordered by name; empty at the
    /// end. This does not claim anybody.
    ///
    /// A page contains people of only one wave, and names start again with each wave. `number` is
    /// the `last` of the previous page, 0 at first.
    func unclaimed(_ run: RunID, platform: Platform, after number: Int, limit: Int) async throws
        -> (people: [Username], last: Int)
    /// Counts the people, given in name order, who have reached the cap; pushes of `run` are not
    /// counted.
    func capped(
        _ people: [Username], on platform: Platform, at hub: HubIdentity, besides run: RunID?,
        by cap: FrequencyCap, at time: Date
    ) async throws -> Int

    // MARK: Reports

    /// Returns a page of a run's deliveries, ordered by name and then by platform as listed; empty
    /// at the end.
    ///
    /// A page has all deliveries of its recipients. `number` is the `last` of the previous page, 0
    /// at first.
    func reportPage(_ run: RunID, after number: Int, recipients: Int) async throws
        -> (rows: [ReportRow], last: Int)
    func reportRows(_ run: RunID, of recipient: Username) async throws -> [ReportRow]
    /// Returns a page, ordered by name, of people who have a delivery with one of the given
    /// outcomes.
    ///
    /// Ignores deliveries skipped as ``SkipReason/notAskedFor``; those without an outcome are
    /// counted as `not_attempted`. A page may be empty before the end; `last` is nil at the end.
    ///
    /// - Parameter recipients: how many recipients to examine.
    func unreached(of run: RunID, with outcomes: Set<Outcome>, after number: Int, recipients: Int)
        async throws -> (people: [UnreachedPerson], last: Int?)
    /// Returns a page, ordered by name, of a run's people, for the audience of another run.
    ///
    /// Deliveries are counted, and pages end, as in ``unreached(of:with:after:recipients:)``. A nil
    /// `outcomes` or `fetched` matches everybody.
    func people(
        of run: RunID, with outcomes: Set<Outcome>?, fetched: Bool?, after number: Int,
        recipients: Int
    ) async throws -> (people: [Username], last: Int?)
    /// Why deliveries were rejected, failed or got no answer, most frequent reasons first.
    ///
    /// Reasons are grouped by outcome and ``TroubleReason/essence(of:)``. The counts do not always
    /// add up to all deliveries. Reasons have no example person if the run's deliveries were
    /// deleted.
    func reasons(_ run: RunID, limit: Int) async throws -> [TroubleReason]
    func reach(_ run: RunID) async throws -> Reach

    // MARK: Fallbacks

    /// Runs whose payloads can still be fetched and whose fallbacks are not complete, earliest
    /// first.
    ///
    /// This is called every minute, so its cost must not grow with the number of other runs.
    func followable(campaign: String, at hub: HubIdentity, now: Date) async throws -> [RunRecord]
    /// Whether any delivery was accepted or, if `time` is given, accepted after that time. This is
    /// called every minute, so it must be fast.
    func hasAccepted(_ run: RunID, after time: Date?) async throws -> Bool
    func isFetched(_ run: RunID) async throws -> Bool

    // MARK: People

    /// The people among `people` who were forgotten; throws if the key that recognises them is
    /// missing.
    func forgotten(among people: [Username]) async throws -> Set<Username>
}

/// A person and the platforms on which their deliveries have one of the requested outcomes.
package struct UnreachedPerson: Hashable, Sendable {
    package let username: Username
    /// The platforms; never empty.
    package let platforms: Set<Platform>

    package init(username: Username, platforms: Set<Platform>) {
        self.username = username
        self.platforms = platforms
    }
}
