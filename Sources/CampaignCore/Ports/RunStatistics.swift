#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What reports tell of runs beside their rows, their outcomes and their reasons.
///
/// Storage implements it, and adds up where the rows are. Every call throws when the store cannot be read.
package protocol RunStatistics: Sendable {
    /// Runs that began within a period, newest first.
    ///
    /// - Parameters:
    ///   - campaign: only this campaign's; nil for all.
    ///   - last: the last run of the page before; nil at first.
    ///   - limit: how many at most.
    func runs(
        began period: RunPeriod, campaign: String?, after last: RunID?, limit: Int
    ) async throws -> [RunRecord]
    /// How many people of a run there was a try to push to, on at least one platform.
    ///
    /// Who is being tried for the first time at this moment does not count yet.
    func peopleTried(_ run: RunID) async throws -> Int
    /// The outcomes on each platform, in the order in which the report lists them; what has none counts as `not_attempted`.
    func platformOutcomes(_ run: RunID) async throws -> [PlatformOutcomes]
    /// When the outcomes of what was sent were written down.
    ///
    /// - Parameter steps: into how many steps the time is divided at most, at least 2.
    /// - Returns: nil when there is none yet, and once the run's deliveries were deleted.
    func course(_ run: RunID, steps: Int) async throws -> RunCourse?
}

/// The time within which runs began.
package struct RunPeriod: Hashable, Sendable {
    /// Its first instant; nil: it has none.
    package var since: Date?
    /// The instant right behind it; nil: it has none.
    package var until: Date?

    package init(since: Date? = nil, until: Date? = nil) {
        self.since = since
        self.until = until
    }
}

/// How many deliveries of a run ended in each outcome on one platform.
package struct PlatformOutcomes: Hashable, Sendable {
    package var platform: Platform
    package var outcomes: OutcomeCounts

    package init(_ platform: Platform, _ outcomes: OutcomeCounts) {
        self.platform = platform
        self.outcomes = outcomes
    }
}

/// How a run went on over time: outcomes of what was sent, in steps of the same length.
package struct RunCourse: Hashable, Sendable {
    /// The outcomes that are counted: those of deliveries that were sent, or may have been.
    package static let outcomes: [Outcome] = [.accepted, .rejected, .failed, .unknown]

    /// Lengths of a step that people reckon with, in seconds; beyond the last one whole days.
    private static let lengths = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200,
    ]
    private static let day = 86_400

    /// When the first step begins: a multiple of their length, counted from 1970.
    package var start: Date
    /// How long each step is, in seconds, at least 1.
    package var length: Int
    /// The outcomes of each step, never empty.
    package var steps: [OutcomeCounts]

    package init(start: Date, length: Int, steps: [OutcomeCounts]) {
        self.start = start
        self.length = length
        self.steps = steps
    }

    /// The shortest length of steps that divides a time into few enough.
    ///
    /// - Parameters:
    ///   - first: the first second, counted from 1970.
    ///   - last: the last second, not before the first.
    ///   - steps: how many steps there may be, at least 2: around 1970 no length has both ends in one.
    /// - Returns: seconds.
    package static func length(from first: Int, through last: Int, steps: Int) -> Int {
        func fits(_ length: Int) -> Bool {
            step(of: last, length: length) - step(of: first, length: length) < max(2, steps)
        }
        if let length = lengths.first(where: fits) { return length }
        var days = 1
        while !fits(days * day) { days *= 2 }
        return days * day
    }

    /// In which step of a length a second lies, counted from 1970.
    package static func step(of second: Int, length: Int) -> Int {
        second / length - (second % length < 0 ? 1 : 0)
    }
}
