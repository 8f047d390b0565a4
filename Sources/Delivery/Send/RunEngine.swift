import CampaignCore
import FoundationEssentials
import Logging

/// Works on a staged run until it ends: claims pages, passes them to the sender and records the
/// results.
///
/// One task does all of this; pages are sent concurrently and post their results to the event
/// queue. ``PageScheduler`` and ``ResultJudge`` make the decisions, which this type carries out.
struct RunEngine {
    /// After this time without an answer from the hub, retries are left to processes that get
    /// answers.
    private static let ownTrouble: Duration = .seconds(3)
    private static let interruption =
        "the process ended before the hub's answer was recorded"

    private let run: RunRecord
    private let sending: RunSending
    private let logger: Logger
    private let deadline: RunDeadline
    /// The state of a delivery that may have been sent before a process ended.
    private let interruptedState: DeliveryRecord.State

    private var scheduler: PageScheduler
    private var judge: ResultJudge
    private var reporter: RunReporter
    private var alarm: Alarm
    private var share: RunShare
    private var ending: RunEnding
    private var out = InFlight()
    private var journal: OutcomeJournal

    init(
        _ run: RunRecord, waves: [RunWave], outcomes: OutcomeCounts, share: RunShare,
        of sending: RunSending
    ) {
        self.run = run
        self.share = share
        self.sending = sending
        logger = sending.runner.logger.of(run.id)
        ending = RunEnding(platforms: run.platforms)
        deadline = RunDeadline(run)
        let onUnknown = run.delivery.onUnknown ?? .standard(for: run.kind)
        interruptedState = onUnknown == .hold ? .ended(.unknown) : .waiting
        scheduler = PageScheduler(
            platforms: run.platforms, policy: run.delivery, onUnknown: onUnknown,
            isShared: !share.isAlone, waves: waves, at: sending.steady.second)
        judge = ResultJudge(
            platforms: run.platforms, policy: run.delivery, onUnknown: onUnknown,
            random: sending.runner.random)
        journal = OutcomeJournal(
            outcomes: outcomes, requests: run.requests, limit: run.delivery.stopWhen)
        reporter = RunReporter(run: run, logger: logger, observe: sending.runner.observe)
        alarm = Alarm(share.timeline) { [events = share.events] in events.post(.alarm) }
    }

    /// Works until nothing is left or something ends the work; then all received results are
    /// durable.
    ///
    /// If the ledger throws, deliveries that were sent without a recorded outcome remain `sending`.
    mutating func work() async throws -> EndCause {
        share.events.post(.alarm)
        while true {
            handle(await share.events.receive())
            await advance()
            report()
            guard let result = ending.result else { continue }
            // Other processes have taken over the claims.
            if ending.isPartLost { share.part.lease?.extend(until: .now - .seconds(1)) }
            // The sender starts nothing more and returns pushes that have not started.
            out.cancelAll()
            alarm.cancel()
            guard out.isEmpty else { continue }
            if case .success = result { tellOthers() }
            // Tries once more; deliveries whose results cannot be recorded remain `sending` and
            // uncertain.
            if ending.hasFailed, !ending.isPartLost {
                do {
                    try await write()
                } catch {
                    logger.error(
                        "The hub's answers could not be recorded",
                        metadata: ["answers": "\(journal.unwrittenCount)"])
                }
            }
            return try result.get()
        }
    }

    /// Records results, then sends what may be sent.
    private mutating func advance() async {
        if ending.hasFailed { return }
        do {
            try await write()
            try await share.letGo()
            if ending.takesNewWork, let news = try await share.askAlone() {
                hear(news, asked: 0, at: share.timeline.now)
            }
            reporter.checkClock(at: sending.now(), steady: sending.steady.now)
            if sending.steady.now >= deadline.date { ending.end(.late(detail: deadline.detail)) }
            guard ending.takesNewWork, share.hasNews else { return }
            try await settleAbandoned()
            try await dispatch()
        } catch {
            if !(error is RunPartLost) { logger.error("The store failed; ending the run's work") }
            ending.fail(error)
        }
    }

    // MARK: Sending

    /// Settles deliveries that other processes left, at the start and whenever a process has ended.
    private mutating func settleAbandoned() async throws {
        let count = try await share.settle(
            as: interruptedState, detail: Self.interruption, at: sending.now())
        guard count > 0 else { return }
        switch interruptedState {
        case .waiting: scheduler.waves.readAgain()
        case .ended(let outcome): journal.noteOthers(OutcomeCounts([outcome: count]))
        }
    }

    private mutating func dispatch() async throws {
        let sharing = run.delivery.recipientsPerPush
        while ending.takesNewWork {
            let start = share.timeline.now
            // Without the lease, claimed pushes must not be sent. Waves are not updated in the
            // meantime, so their next change may already be in the past.
            guard share.isHeld else {
                return alarm.set(for: start + RunReporter.tick, at: start)
            }
            followTurns()
            switch scheduler.next(at: start, access: judge.access, besides: out) {
            case .read(let platform, let number, let last, let limit):
                let claims = try await share.part.ledger.waiting(
                    run.id, platform: platform, after: number, through: last,
                    limit: limit * sharing)
                if !claims.isEmpty { share.noteWork() }
                scheduler.read(claims, on: platform)
            case .sendAgain(let platform, let attempts):
                try await share.part.ledger.claimAgain(
                    run.id, platform: platform,
                    numbers: attempts.flatMap { $0.claims.map(\.number) }, at: sending.now())
                send(attempts, on: platform, from: start)
            case .sendFresh(let platform, let wave, let limit):
                let page = try await share.part.ledger.claimNext(
                    run.id, platform: platform, wave: wave, limit: limit * sharing,
                    cap: run.isRehearsal ? nil : run.delivery.frequencyCap, at: sending.now())
                if page.isEmpty { scheduler.waves.ranDry(wave, on: platform) }
                journal.noteSkipped(page.skipped)
                send(
                    Attempt.pushes(of: page.claims, sharedBy: sharing), of: page.id, on: platform,
                    from: start)
                // Many people may be skipped in a row, so other platforms get a turn in between.
                if page.claims.isEmpty, page.skipped > 0 { return share.events.post(.alarm) }
            case .wait(let time):
                return sleep(until: time)
            case .finish:
                if let pause = ending.holds { return ending.end(.paused(pause)) }
                tellOthers()
                guard share.isOver(hasSendTimes: scheduler.waves.hasSendTimes) else {
                    return sleep(until: nil)
                }
                ending.end(.complete)
            }
        }
    }

    /// Updates the waves: cancels pages of waves that closed, and drops their retries from memory.
    private mutating func followTurns() {
        guard let dropped = scheduler.advance(to: sending.steady.second) else { return }
        out.cancel(unless: scheduler.waves.maySend)
        for (platform, attempts) in dropped { share.drop(attempts, on: platform) }
    }

    /// Passes pushes to the sender; `claim` is the ``ClaimedPage/id`` if they have just been
    /// claimed.
    private mutating func send(
        _ attempts: [Attempt], of claim: Int? = nil, on platform: Platform, from start: Duration
    ) {
        scheduler.sent(attempts.count, on: platform, from: start)
        guard !attempts.isEmpty else {
            if let claim { out.close(claim: claim) }
            return
        }
        share.noteWork()
        judge.probed(at: start)
        reporter.watch.note(hasOut: true, isResult: false, at: start)
        let pace = scheduler.pace(of: platform)
        followTurns()
        // This is usually one page, or more if people who would share a push have personal
        // notifications.
        for first in stride(from: 0, to: attempts.count, by: PushPage.maximumCount) {
            let part = attempts[first..<min(first + PushPage.maximumCount, attempts.count)]
            let number = out.add(part, of: claim, on: platform, from: start, at: share.rate)
            let page = run.page(
                of: part, on: platform, pace: pace, lease: share.part.lease,
                now: sending.steady.now)
            let task = Task { [sender = sending.runner.sender, events = share.events] in
                await sender.send(page) { events.post(.results($0, page: number)) }
                events.post(.sent(page: number))
            }
            out.begin(number, task)
            // A wave may have closed during the claim; if so, the sender returns its pushes.
            if !part.allSatisfy({ scheduler.waves.maySend($0.number) }) { task.cancel() }
        }
    }

    /// Sleeps until a time, until the next wave opens or closes, or until the next tick.
    private mutating func sleep(until time: Duration?) {
        let now = share.timeline.now
        // The time is one millisecond later, so that rounding never makes it too early.
        let windows = scheduler.waves.nextChange.map {
            now + .seconds(Double($0) - sending.steady.now.timeIntervalSince1970)
                + .milliseconds(1)
        }
        let tick = now + RunReporter.tick
        alarm.set(for: min(time ?? tick, windows ?? tick, tick), at: now)
    }

    // MARK: Receiving

    private mutating func handle(_ happened: [RunEvent]) {
        let time = share.timeline.now
        for case .results(let results, let page) in happened {
            guard let platform = out.platform(of: page) else { continue }
            judge.note(results, on: platform, at: time)
        }
        let before = journal.requests
        var isResult = false
        for event in happened {
            switch event {
            case .alarm: break
            case .cancelled:
                let date = sending.steady.now
                let trouble =
                    judge.outage?.trouble ?? reporter.watch.trouble(judge, at: time, date: date)
                ending.end(.paused(Pause(interruptedIn: trouble, at: date)))
            case .results(let results, let page):
                isResult = true
                settle(out.take(results, of: page), at: time)
            case .sent(let page):
                if let lost = out.close(page) { settle(lost, at: time) }
            case .news(let news, let asked): hear(news, asked: asked, at: time)
            case .partFailed(let error): ending.fail(error)
            }
        }
        reporter.meter.add(journal.requests - before, at: time)
        reporter.watch.note(hasOut: !out.isEmpty, isResult: isResult, at: time)
    }

    /// - Parameter answers: nil if they belong to a page that is not in flight.
    private mutating func settle(_ answers: InFlight.Answers?, at time: Duration) {
        if answers?.strays != 0 {
            logger.warning("Ignored a result for a push that is not in its page")
        }
        guard let answers else { return }
        let platform = answers.platform
        let recorded = sending.now()
        let throttled = answers.throttled
        scheduler.answered(answers.pushes.count, throttled: throttled, on: platform, at: time)
        for answer in answers.pushes {
            let result = answer.result
            journal.noteRequests(result.requests)
            let verdict = judge.judge(
                result, of: answer.attempt, on: platform, at: time,
                isEnding: !ending.takesNewWork)
            journal.note(
                verdict, on: platform, detail: result.detail, hubMessage: result.hubMessage,
                at: recorded)
            if let pause = verdict.pause { take(pause) }
            guard verdict.state == .waiting else { continue }
            let isKept =
                !ending.isHeld(platform)
                && verdict.due.map { scheduler.retry(verdict.attempt, on: platform, due: $0) }
                    ?? true
            if !isKept { share.drop([verdict.attempt], on: platform) }
        }
        if throttled > 0 { share.heartbeat?.slowDown(scheduler.traffic) }
        endIfTooManyFailed()
    }

    private mutating func take(_ pause: Pause) {
        guard let platform = ending.take(pause) else { return }
        share.drop(scheduler.hold(platform), on: platform)
        logger.notice("One platform is held up; the others continue: \(pause.reason)")
    }

    /// Pauses the run if too many deliveries of all processes have failed.
    private mutating func endIfTooManyFailed() {
        guard ending.takesNewWork, let detail = journal.tooManyFailures else { return }
        ending.end(.paused(Pause(.tooManyFailures, detail: detail)))
        share.raise(detail)
    }

    private mutating func hear(_ news: RunNews, asked: Int, at time: Duration) {
        // Most of what other processes report first has already been read from the ledger.
        let isFirst = !share.hasNews
        let change = share.hear(news, asked: asked, out: out)
        guard news.state == .running else { return ending.fail(RunPartLost(run.id)) }
        if news.mayLackWrites { return ending.fail(StoreMoved()) }
        journal.endedElsewhere.add(change.outcomes)
        if !isFirst {
            journal.noteOthers(change.outcomes, requests: change.requests)
            scheduler.others(change.traffic, at: time)
        }
        scheduler.keep(to: news.rate)
        if news.hasFree, judge.outage == nil || news.others.isEmpty { scheduler.waves.readAgain() }
        // The hub answers other processes but not this one, so they take over its retries, except
        // one per platform, which probes whether the hub is answering again.
        if !isFirst, change.outcomes[.accepted] > 0, let outage = judge.outage,
            time - outage.since > Self.ownTrouble
        {
            for (platform, attempts) in scheduler.dropAllButOne() {
                share.drop(attempts, on: platform)
            }
        }
        if let mode = news.stopRequest { ending.end(.stopped(mode)) }
        if let detail = news.tooManyFailures {
            ending.end(.paused(Pause(.tooManyFailures, detail: detail)))
        }
        endIfTooManyFailed()
    }

    private mutating func write() async throws {
        while let batch = journal.nextBatch {
            try await share.part.ledger.record(batch.records, requests: batch.requests, of: run.id)
            journal.wrote(batch)
        }
    }

    // MARK: Reporting

    private mutating func report() {
        let isTold = reporter.report(
            journal, judge, others: share.othersCount, isEnding: !ending.takesNewWork,
            at: share.timeline.now, now: sending.steady.now)
        if isTold { tellOthers() }
    }

    /// Reports this process's state to the others if all results are recorded.
    private mutating func tellOthers() {
        if journal.nextBatch == nil { share.tell(journal, scheduler, &out) }
    }

    /// Records the run's end; call when no other process works on it.
    mutating func conclude(_ cause: EndCause) async throws -> RunSummary {
        // Time may have passed while this process waited for others.
        if !share.isAlone { _ = scheduler.advance(to: sending.steady.second) }
        let summary = try await sending.runner.ledger.conclude(
            run, cause, waves: scheduler.waves, now: sending.now)
        reporter.conclude(
            summary, journal, judge, others: share.othersCount, at: share.timeline.now)
        return summary
    }
}
