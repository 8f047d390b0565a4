#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Reads the figures that reports need in addition to rows, outcomes and reasons.
package protocol RunStatistics: Sendable {
    /// Returns runs, newest first; a nil `campaign` means all campaigns.
    func runs(
        began period: RunPeriod, campaign: String?, after last: RunID?, limit: Int
    ) async throws -> [RunRecord]
    /// How many people were tried on at least one platform; a first try in progress is not counted.
    func peopleTried(_ run: RunID) async throws -> Int
    /// Returns outcomes by platform, in report order; deliveries without an outcome are counted as
    /// `not_attempted`.
    func platformOutcomes(_ run: RunID) async throws -> [PlatformOutcomes]
    /// Returns when outcomes were recorded, in at most `steps` steps, which must be at least 2.
    ///
    /// Returns nil if there are no outcomes yet, or if the run's deliveries were deleted.
    func course(_ run: RunID, steps: Int) async throws -> RunCourse?
}

package struct RunPeriod: Hashable, Sendable {
    package var since: Date?
    /// Exclusive.
    package var until: Date?

    package init(since: Date? = nil, until: Date? = nil) {
        self.since = since
        self.until = until
    }
}

package struct PlatformOutcomes: Hashable, Sendable {
    package var platform: Platform
    package var outcomes: OutcomeCounts

    package init(_ platform: Platform, _ outcomes: OutcomeCounts) {
        self.platform = platform
        self.outcomes = outcomes
    }
}

/// ``Outcome/sent`` of a run over time, in steps of equal length.
package struct RunCourse: Hashable, Sendable {
    /// The possible lengths in seconds; longer steps are whole days.
    private static let lengths = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200,
    ]
    private static let day = 86_400

    /// The start, which is a multiple of the step length since 1970.
    package var start: Date
    /// The length of a step in seconds, at least 1.
    package var length: Int
    package var steps: [OutcomeCounts]

    package init(start: Date, length: Int, steps: [OutcomeCounts]) {
        self.start = start
        self.length = length
        self.steps = steps
    }

    /// The shortest step length, in seconds, that needs no more than `steps` steps.
    ///
    /// - Parameter steps: at least 2, because no length puts times before and after 1970 into the
    /// same step.
    package static func length(from first: Int, through last: Int, steps: Int) -> Int {
        func fits(_ length: Int) -> Bool {
            step(of: last, length: length) - step(of: first, length: length) < max(2, steps)
        }
        if let length = lengths.first(where: fits) { return length }
        var days = 1
        while !fits(days * day) { days *= 2 }
        return days * day
    }

    /// The number of the step that contains a second, counted from 1970.
    package static func step(of second: Int, length: Int) -> Int {
        second / length - (second % length < 0 ? 1 : 0)
    }
}
