import CampaignCore
import FoundationEssentials

/// When a run's time is up, and what is written down about the people who are left.
struct RunDeadline: Hashable, Sendable {
    let date: Date
    let detail: String
    /// What is written down before the time is up, about people whose turn comes only after it.
    let detailOfTurns: String

    /// The earlier of the payload's expiry and `finish_within`.
    init(_ run: RunRecord) {
        let within = run.delivery.finishWithin
        let late = run.started.addingTimeInterval(within / .seconds(1))
        if run.expires <= late {
            self.date = run.expires
            self.detail = SkipReason.expired.detail(
                "the payload expired at \(run.expires.ISO8601Format())")
            self.detailOfTurns = SkipReason.expired.detail(
                "the payload expires at \(run.expires.ISO8601Format()), before their turn")
        } else {
            self.date = late
            self.detail = SkipReason.tooLate.detail(
                "finish_within ended at \(late.ISO8601Format())")
            self.detailOfTurns = SkipReason.tooLate.detail(
                "finish_within ends at \(late.ISO8601Format()), before their turn")
        }
    }
}

/// The time of day, counted on steadily from the moment at which a process began its work on a run.
///
/// Deadlines go by it, so that setting the machine's clock ends no run early or late.
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

    /// The time of day in whole seconds since 1970, rounded down.
    var second: Int { Int(now.timeIntervalSince1970.rounded(.down)) }
}

/// Finds out whether the machine's clock was set while a run was worked on.
///
/// Each look is compared with the one before, not with the beginning, so that slow drift does not count as a step.
struct ClockStep: Sendable {
    /// A smaller difference is not a step: the clock was adjusted a little, or the process had to wait.
    static let least: Duration = .seconds(5)

    private var offset: Duration = .zero
    private var wasTold = false

    /// Looks at the clock.
    ///
    /// - Parameters:
    ///   - time: what the clock shows.
    ///   - steady: what it would show if nobody had set it since the beginning.
    /// - Returns: by how much the clock was set since the last look; nil when it was not. A step is reported once: after the
    ///   first, this is always nil.
    mutating func look(at time: Date, steady: Date) -> Duration? {
        let difference = Duration.seconds(time.timeIntervalSince(steady))
        let step = difference - offset
        offset = difference
        guard !wasTold, max(step, .zero - step) > Self.least else { return nil }
        wasTold = true
        return step
    }

    /// What is said of a step, such as `The clock of this machine was moved by +2h during the run; …`.
    static func sentence(_ step: Duration) -> String {
        "The clock of this machine was moved by \(text(step)) during the run; the deadlines of this run are kept "
            + "as they were."
    }

    /// With a sign, in the two largest units at most: `+2h`, `-1h 30m`, `+6s`.
    private static func text(_ step: Duration) -> String {
        var rest = Int(((step / .seconds(1)) as Double).magnitude.rounded())
        var parts: [String] = []
        for (unit, seconds) in [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)]
        where parts.count < 2 && rest >= seconds {
            parts.append("\(rest / seconds)\(unit)")
            rest %= seconds
        }
        return (step < .zero ? "-" : "+") + parts.joined(separator: " ")
    }
}
