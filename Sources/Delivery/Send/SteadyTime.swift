import FoundationEssentials

/// The time of day as it goes on from the moment at which a process began its work on a run, whatever somebody does to the machine's
/// clock meanwhile.
///
/// Deadlines go by it, so that a clock that is set ends no run early and none late.
struct SteadyTime: Sendable {
    private let timeline: Timeline
    private let origin: Date

    /// - Parameters:
    ///   - clock: what goes on evenly.
    ///   - origin: the time of day now.
    init(_ clock: some Clock<Duration>, from origin: Date) {
        self.timeline = Timeline(clock)
        self.origin = origin
    }

    var now: Date { origin.addingTimeInterval(timeline.now / .seconds(1)) }
}
