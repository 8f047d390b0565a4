import CampaignCore
import FoundationEssentials

/// When a run's time is up, and the details recorded for the remaining people.
struct RunDeadline: Hashable, Sendable {
    let date: Date
    /// Why the remaining people are skipped.
    let reason: SkipReason
    let detail: String
    /// The detail for people of waves that come after the deadline.
    let detailOfTurns: String

    /// The earlier of the payload's expiry and `finish_within`.
    init(_ run: RunRecord) {
        let late = run.started.addingTimeInterval(run.delivery.finishWithin / .seconds(1))
        reason = run.expires <= late ? .expired : .tooLate
        date = min(run.expires, late)
        let (past, present) =
            reason == .expired
            ? ("the payload expired", "the payload expires")
            : ("finish_within ended", "finish_within ends")
        let time = date.ISO8601Format()
        detail = reason.detail("\(past) at \(time)")
        detailOfTurns = reason.detail("\(present) at \(time), before their turn")
    }
}

/// The time of day, measured by the steady clock since the start of the work.
///
/// Setting the machine's clock therefore does not end a run early or late.
struct SteadyTime: Sendable {
    private let timeline: Timeline
    private let origin: Date

    /// - Parameter origin: the time of day now.
    init(_ clock: some Clock<Duration>, from origin: Date) {
        self.timeline = Timeline(clock)
        self.origin = origin
    }

    var now: Date { origin.addingTimeInterval(timeline.now / .seconds(1)) }

    /// Seconds since 1970, rounded down.
    var second: Int { Int(now.timeIntervalSince1970.rounded(.down)) }
}

/// Detects whether the machine's clock was changed during a run.
///
/// Each check compares with the previous check, not with the start, so that slow drift is ignored.
struct ClockStep: Sendable {
    /// A smaller difference may be an adjustment of the clock or a delay of the process.
    static let least: Duration = .seconds(5)

    private var offset: Duration = .zero
    private var wasTold = false

    /// By how much the clock was changed since the last check; nil if it was not changed, or after
    /// the first report.
    ///
    /// - Parameter steady: what the clock would show if it had not been changed.
    mutating func check(at time: Date, steady: Date) -> Duration? {
        let difference = Duration.seconds(time.timeIntervalSince(steady))
        let step = difference - offset
        offset = difference
        guard !wasTold, max(step, .zero - step) > Self.least else { return nil }
        wasTold = true
        return step
    }

    /// The warning, such as `The clock of this machine was changed by +2h during the run; …`.
    static func sentence(_ step: Duration) -> String {
        let (sign, length) = step < .zero ? ("-", .zero - step) : ("+", step)
        let seconds = Duration.seconds((length / .seconds(1)).rounded())
        return
            "The clock of this machine was changed by \(sign)\(Durations.short(seconds)) during the run; "
            + "the run's deadlines have not changed."
    }
}
