package import CampaignCore
package import FoundationEssentials
import Logging

package struct RunProgress: Hashable, Sendable {
    package let run: RunID
    package let deliveries: Int
    /// The outcomes of all processes; deliveries without an outcome are counted as `not_attempted`.
    package let outcomes: OutcomeCounts
    /// The requests of all processes.
    package let requests: Int
    /// The requests per second of all processes during the last few seconds.
    package let rate: Double
    package let started: Date
    package var trouble: HubTrouble?
    package var others = 0
}

/// Reports a run's progress and problems.
struct RunReporter: Sendable {
    /// The interval of reports, and the longest sleep of the engine.
    static let tick: Duration = .milliseconds(250)

    private let run: RunRecord
    private let logger: Logger
    private let observe: @Sendable (RunProgress) -> Void
    var meter = RateMeter()
    var watch = HubWatch()
    private var clockStep = ClockStep()
    private var next: Duration = .zero

    init(run: RunRecord, logger: Logger, observe: @escaping @Sendable (RunProgress) -> Void) {
        self.run = run
        self.logger = logger
        self.observe = observe
    }

    /// Logs if the machine's clock was changed.
    mutating func checkClock(at time: Date, steady: Date) {
        if let step = clockStep.check(at: time, steady: steady) {
            logger.warning("\(ClockStep.sentence(step))")
        }
    }

    /// Returns false if the last report is too recent.
    mutating func report(
        _ journal: OutcomeJournal, _ judge: ResultJudge, others: Int, isEnding: Bool,
        at time: Duration, now: Date
    ) -> Bool {
        guard time >= next else { return false }
        next = time + Self.tick
        watch.check(at: time)
        let trouble = isEnding ? nil : watch.trouble(judge, at: time, date: now)
        tell(trouble, judge, at: time)
        show(journal.outcomes, journal, trouble, others: others, at: time)
        return true
    }

    mutating func conclude(
        _ summary: RunSummary, _ journal: OutcomeJournal, _ judge: ResultJudge, others: Int,
        at time: Duration
    ) {
        if summary.result == .finished { tell(nil, judge, at: time) }
        show(summary.outcomes, journal, nil, others: others, at: time)
        logger.info(
            "The work on a run ended",
            metadata: [
                "state": "\(summary.record.state)",
                "requests": "\(journal.requests)",
                "seconds-sending": "\(time / .seconds(1))",
            ])
    }

    /// Logs new trouble with the hub, and the end of trouble.
    ///
    /// The log level is notice rather than warning, because brief trouble passes, and persistent
    /// trouble pauses the run and is reported as the reason.
    private mutating func tell(_ trouble: HubTrouble?, _ judge: ResultJudge, at time: Duration) {
        guard watch.isNews(trouble, judge, at: time) else { return }
        logger.notice(
            "\(trouble.map { "Waiting for the hub: \($0.gist)" } ?? "The hub is answering again")")
    }

    private func show(
        _ outcomes: OutcomeCounts, _ journal: OutcomeJournal, _ trouble: HubTrouble?, others: Int,
        at time: Duration
    ) {
        observe(
            RunProgress(
                run: run.id, deliveries: run.deliveries, outcomes: outcomes,
                requests: journal.requests, rate: meter.rate(at: time), started: run.started,
                trouble: trouble, others: others))
    }
}
