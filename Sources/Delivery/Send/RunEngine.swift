import CampaignCore
import FoundationEssentials
import Logging

/// Works on a staged run until it ends: claims pages, hands them over, writes down what became of them.
///
/// One task owns it and does all of it in turn; pages run beside it and leave their results in the mailbox. What to do is
/// decided by ``PageScheduler`` and ``ResultJudge``; this only does it.
struct RunEngine {
    /// How often it looks for a request to stop.
    static let stopInterval: Duration = .milliseconds(500)
    /// How often it tells about progress, and the longest it sleeps.
    static let tick: Duration = .milliseconds(250)
    /// Transactions stay this small, so that others who use the store do not wait.
    static let recordLimit = 5_000

    let run: RunRecord
    let ledger: any RunLedger
    let sender: any PushSender
    let timeline: Timeline
    let now: @Sendable () -> Date
    let steady: SteadyTime
    let onUnknown: UnknownPolicy
    let mailbox: Mailbox<RunEvent>
    let logger: Logger
    let observe: @Sendable (RunProgress) -> Void

    let deadline: RunDeadline
    let composer: PageComposer
    var generator: any RandomNumberGenerator & Sendable
    var scheduler: PageScheduler
    var judge: ResultJudge
    var breaker: FailureBreaker
    var meter = RateMeter()
    var watch = HubWatch()

    var pages: [Int: OutstandingPage] = [:]
    var pagesSent = 0
    var unrecorded: [DeliveryRecord] = []
    var uncountedRequests = 0
    var outcomes = OutcomeCounts()
    var requests: Int
    var nextStopCheck: Duration = .zero
    var nextReport: Duration = .zero
    var alarm: Alarm
    var clockStep = ClockStep()
    var hasSettledInterrupted = false
    var ending: RunEnding?
    var failure: (any Error)?

    init(
        run: RunRecord, ledger: any RunLedger, sender: any PushSender, timeline: Timeline,
        now: @escaping @Sendable () -> Date, steady: SteadyTime,
        random: any RandomNumberGenerator & Sendable,
        onUnknown: UnknownPolicy, mailbox: Mailbox<RunEvent>, logger: Logger,
        observe: @escaping @Sendable (RunProgress) -> Void
    ) {
        self.run = run
        self.ledger = ledger
        self.sender = sender
        self.timeline = timeline
        self.now = now
        self.steady = steady
        self.generator = random
        self.onUnknown = onUnknown
        self.mailbox = mailbox
        self.logger = logger
        self.observe = observe
        self.deadline = RunDeadline(run)
        self.scheduler = PageScheduler(
            platforms: run.platforms, policy: run.delivery, onUnknown: onUnknown)
        self.judge = ResultJudge(policy: run.delivery, onUnknown: onUnknown)
        self.breaker = FailureBreaker(run.delivery.stopWhen)
        self.composer = PageComposer(run: run, interval: scheduler.interval)
        self.requests = run.requests
        self.alarm = Alarm(timeline) { mailbox.post(.alarm) }
    }

    /// Works until the run ends.
    ///
    /// - Returns: the run, its outcomes and how it ended, all of it durable.
    /// - Throws: what the ledger throws; then what went out without a recorded outcome is still `sending`.
    mutating func work() async throws -> (RunRecord, OutcomeCounts, RunEnd) {
        outcomes = try await ledger.outcomes(run.id)
        mailbox.post(.alarm)
        await withDiscardingTaskGroup { group in
            repeat {
                handle(await mailbox.receive())
                await advance(&group)
                report()
                // The sender begins nothing more then, and gives back what has not begun.
                if ending != nil {
                    group.cancelAll()
                    alarm.cancel()
                }
            } while ending == nil || !pages.isEmpty
        }
        return try await conclude()
    }

    /// Ends the work; the first reason counts, but a failure counts more than any.
    mutating func end(_ ending: RunEnding) {
        if self.ending == nil || ending == .failed { self.ending = ending }
    }

    /// One turn of the work: writes down what came in, then gives out what may go.
    private mutating func advance(_ group: inout DiscardingTaskGroup) async {
        guard failure == nil else { return }
        do {
            try await write()
            try await checkStop()
            if isLate() { end(.late(detail: deadline.detail)) }
            guard ending == nil else { return }
            try await settleInterrupted()
            try await dispatch(&group)
        } catch {
            logger.error("The store failed; ending the run's work", metadata: ["run": "\(run.id)"])
            failure = error
            end(.failed)
        }
    }

    /// Whether the run's time is up; a clock that was set is told of and does not count.
    private mutating func isLate() -> Bool {
        let time = steady.now
        if let step = clockStep.look(at: now(), steady: time) {
            logger.warning("\(ClockStep.sentence(step))", metadata: ["run": "\(run.id)"])
        }
        return time >= deadline.date
    }
}
