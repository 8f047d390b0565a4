import CampaignCore
import FoundationEssentials
import Logging

/// Works on a staged run until it ends: claims pages, hands them over, records the results.
///
/// One task does all of this in turn; pages run concurrently and post results to the event queue.
/// ``PageScheduler`` and ``ResultJudge`` decide, this only acts.
struct RunEngine {
    private static let stopInterval: Duration = .milliseconds(500)
    /// The interval of progress reports, and the longest sleep.
    private static let tick: Duration = .milliseconds(250)
    /// After this time without the hub, retries are left to processes that the hub answers.
    private static let ownTrouble: Duration = .seconds(3)
    private static let interruption =
        "the process ended before the hub's answer was written down"

    private enum Life {
        /// Deliveries left `sending` by an earlier process are settled before anything is sent.
        case beginning
        case sending
        /// Begins nothing new, and waits for what is out.
        case ending(EndCause)
        case failed(any Error)

        var takesNewWork: Bool {
            switch self {
            case .beginning, .sending: true
            case .ending, .failed: false
            }
        }
    }

    private let run: RunRecord
    private let ledger: any RunLedger
    private let sender: any PushSender
    private let timeline: Timeline
    /// Recorded with outcomes; may jump.
    private let now: @Sendable () -> Date
    /// For deadlines.
    private let steady: SteadyTime
    private let onUnknown: UnknownPolicy
    private let events: EventQueue<RunEvent>
    private let logger: Logger
    private let observe: @Sendable (RunProgress) -> Void

    private let deadline: RunDeadline
    private let composer: PageComposer
    private var generator: any RandomNumberGenerator & Sendable
    private var scheduler: PageScheduler
    private var judge: ResultJudge
    private var breaker: FailureBreaker
    private var meter = RateMeter()
    private var watch = HubWatch()
    private var clockStep = ClockStep()
    private var alarm: Alarm
    private var waves: WaveProgress?
    private var recall = PageRecall()
    private var share: SharedRun?

    private var life = Life.beginning
    /// Why platforms are held up while others are sent to.
    private var held: [Pause] = []
    private var pages = OutstandingPages()
    private var journal: OutcomeJournal
    private var nextStopCheck: Duration = .zero
    private var nextReport: Duration = .zero

    init(
        run: RunRecord, waves: [RunWave], outcomes: OutcomeCounts, ledger: any RunLedger,
        sender: any PushSender, timeline: Timeline, now: @escaping @Sendable () -> Date,
        steady: SteadyTime, random: any RandomNumberGenerator & Sendable,
        events: EventQueue<RunEvent>, share: SharedRun? = nil, logger: Logger,
        observe: @escaping @Sendable (RunProgress) -> Void
    ) {
        self.run = run
        self.ledger = ledger
        self.sender = sender
        self.timeline = timeline
        self.now = now
        self.steady = steady
        self.generator = random
        self.events = events
        self.logger = logger.of(run.id)
        self.observe = observe
        self.onUnknown = run.delivery.onUnknown ?? .standard(for: run.kind)
        self.deadline = RunDeadline(run)
        self.scheduler = PageScheduler(
            platforms: run.platforms, policy: run.delivery, onUnknown: onUnknown,
            isShared: share != nil)
        self.judge = ResultJudge(
            platforms: run.platforms, policy: run.delivery, onUnknown: onUnknown)
        self.breaker = FailureBreaker(run.delivery.stopWhen)
        self.composer = PageComposer(run: run, lease: share?.lease)
        self.share = share
        self.journal = OutcomeJournal(outcomes: outcomes, requests: run.requests)
        self.alarm = Alarm(timeline) { events.post(.alarm) }
        self.waves = WaveProgress(waves, platforms: run.platforms, at: steady.second)
    }

    /// Works until nothing is left or something ends it; all results that came are then durable.
    ///
    /// If the ledger throws, deliveries that went out without a recorded outcome stay `sending`.
    mutating func work() async throws -> EndCause {
        events.post(.alarm)
        await withDiscardingTaskGroup { group in
            repeat {
                handle(await events.receive())
                await advance(&group)
                report()
                // The sender then begins nothing more, and gives back pushes that have not begun.
                if !life.takesNewWork {
                    group.cancelAll()
                    alarm.cancel()
                }
            } while life.takesNewWork || !pages.isEmpty
        }
        switch life {
        case .ending(let cause):
            tellOthers()
            return cause
        case .failed(let error):
            await writeAfterFailure()
            throw error
        case .beginning, .sending:
            // Never reached.
            throw RunError.unaccounted(run.id, deliveries: journal.outcomes[.notAttempted])
        }
    }

    /// Ends the work; the first cause counts.
    private mutating func end(_ cause: EndCause) {
        if life.takesNewWork { life = .ending(cause) }
    }

    /// Records what came in, then sends what may go.
    private mutating func advance(_ group: inout DiscardingTaskGroup) async {
        if case .failed = life { return }
        do {
            try await write()
            try await share?.letGo()
            try await checkStop()
            if isLate() { end(.late(detail: deadline.detail)) }
            // In a shared run, the first news say how fast pushes may go out.
            if case .beginning = life, share?.isHeard != false {
                try await settleInterrupted()
                life = .sending
            }
            if case .sending = life {
                try await settleAbandoned()
                try await dispatch(&group)
            }
        } catch {
            if !(error is RunPartLost) { logger.error("The store failed; ending the run's work") }
            fail(error)
        }
    }

    /// In a shared run, the news carry requests to stop.
    private mutating func checkStop() async throws {
        let time = timeline.now
        guard share == nil, life.takesNewWork, time >= nextStopCheck else { return }
        nextStopCheck = time + Self.stopInterval
        if let mode = try await ledger.stopRequest(run.id) { end(.stopped(mode)) }
    }

    /// Whether the run's time is up; a change of the machine's clock is logged and ignored.
    private mutating func isLate() -> Bool {
        let time = steady.now
        if let step = clockStep.look(at: now(), steady: time) {
            logger.warning("\(ClockStep.sentence(step))")
        }
        return time >= deadline.date
    }

    // MARK: Giving out

    private var interruptedState: DeliveryRecord.State {
        switch onUnknown {
        case .resend: .waiting
        case .hold: .ended(.unknown)
        }
    }

    private mutating func settleInterrupted() async throws {
        guard share == nil else { return }
        for platform in run.platforms {
            var last = 0
            while true {
                let claims = try await ledger.interrupted(
                    run.id, platform: platform, after: last, limit: OutcomeJournal.batchLimit)
                guard let end = claims.last else { break }
                last = end.number
                journal.note(
                    Verdict(state: interruptedState, attempt: Attempt(claims[...])),
                    on: platform, detail: Self.interruption, at: now())
                try await write()
            }
        }
    }

    /// Settles deliveries that other processes left, at the start and whenever one has ended.
    private mutating func settleAbandoned() async throws {
        let (state, time) = (interruptedState, now())
        let count = try await share?.settle(as: state, detail: Self.interruption, at: time) ?? 0
        guard count > 0 else { return }
        switch state {
        case .waiting: readAgain()
        case .ended(let outcome): journal.noteOthers(OutcomeCounts([outcome: count]))
        }
    }

    private mutating func readAgain() {
        if waves == nil { scheduler.readAgain() } else { waves?.readAgain() }
    }

    private mutating func dispatch(_ group: inout DiscardingTaskGroup) async throws {
        let sharing = run.delivery.recipientsPerPush
        while life.takesNewWork {
            let start = timeline.now
            // Without the lease, what is claimed could not go out.
            guard share?.lease.isHeld != false else { return sleep(until: nil) }
            followWaves()
            switch scheduler.next(at: start, access: judge.access) {
            case .scan(let platform, let number, let limit):
                let claims = try await ledger.waiting(
                    run.id, platform: platform, after: number,
                    through: waves?.lastToRead(on: platform), limit: limit * sharing)
                share?.adopted(claims)
                let own = waves?.read(claims, on: platform) ?? claims
                scheduler.scanned(
                    Attempt.pushes(of: own, sharedBy: sharing), upTo: own.last?.number,
                    on: platform)
            case .sendAgain(let platform, let attempts):
                try await ledger.claimAgain(
                    run.id, platform: platform,
                    numbers: attempts.flatMap { $0.claims.map(\.number) }, at: now())
                send(attempts, on: platform, from: start, in: &group)
            case .sendFresh(let platform, let limit):
                let wave = waves?.fresh(on: platform)
                let page = try await ledger.claimNext(
                    run.id, platform: platform, wave: wave?.number, limit: limit * sharing,
                    cap: run.isRehearsal ? nil : run.delivery.frequencyCap, at: now())
                if page.isEmpty { scheduler.ranDry(platform) }
                if let wave, page.isEmpty { waves?.ranDry(wave, on: platform) }
                journal.noteSkipped(page.skipped)
                send(
                    Attempt.pushes(of: page.claims, sharedBy: sharing), of: page.id, on: platform,
                    from: start, in: &group)
                // Many people may be skipped in a row; other platforms get a turn in between.
                if page.claims.isEmpty, page.skipped > 0 { return events.post(.alarm) }
            case .wait(let time):
                sleep(until: [time, waveChange(from: start)].compactMap(\.self).min())
                return
            case .finish:
                if let pause = Pause(held, of: run.platforms) { return end(.paused(pause)) }
                guard isOver() else { return sleep(until: waveChange(from: start)) }
                end(.complete)
                return
            }
        }
    }

    /// Whether others have nothing left either; called when this engine has nothing left.
    private mutating func isOver() -> Bool {
        tellOthers()
        return share?.isOver(hasWaves: waves != nil) ?? true
    }

    /// Follows the open waves: recalls pages of closed ones and drops their retries from memory.
    private mutating func followWaves() {
        let instant = steady.second
        guard let hasClosed = waves?.advance(to: instant), let waves else { return }
        if hasClosed {
            recall.callOff(unless: waves.maySend)
            let dropped = scheduler.drop { !waves.maySend($0.number) }
            for (platform, attempts) in dropped { share?.drop(attempts, on: platform) }
        }
        for platform in run.platforms {
            scheduler.turn(platform, to: waves.source(on: platform))
        }
    }

    /// On the run's timeline; nil: no wave opens or closes any more.
    private func waveChange(from time: Duration) -> Duration? {
        guard let change = waves?.nextChange else { return nil }
        // One millisecond late, so that rounding never makes it early.
        return time + .seconds(Double(change) - steady.now.timeIntervalSince1970)
            + .milliseconds(1)
    }

    /// Hands pushes over; `claim` is the ``ClaimedPage/id`` if they were claimed now.
    private mutating func send(
        _ attempts: [Attempt], of claim: Int? = nil, on platform: Platform, from start: Duration,
        in group: inout DiscardingTaskGroup
    ) {
        scheduler.sent(
            attempts.count, to: attempts.reduce(0) { $0 + $1.claims.count }, on: platform,
            from: start)
        if !attempts.isEmpty {
            judge.probed(at: start)
            watch.note(hasOut: true, isResult: false, at: start)
        }
        let pace = scheduler.pace(of: platform)
        followWaves()
        var out: [Int: Int] = [:]
        defer { share?.sent(claim, in: out) }
        // Usually one; more if people who were to share a push have notifications of their own.
        for first in stride(from: 0, to: attempts.count, by: PushPage.maximumCount) {
            let part = attempts[first..<min(first + PushPage.maximumCount, attempts.count)]
            let number = pages.add(part, on: platform, from: start)
            out[number] = part.count
            let page = composer.page(
                of: part, on: platform, interval: scheduler.interval, pace: pace, now: steady.now)
            let work: @Sendable () async -> Void = { [sender, events] in
                await sender.send(page) { results in
                    events.post(.results(results, page: number))
                }
                events.post(.sent(page: number))
            }
            guard waves != nil else {
                group.addTask { await work() }
                continue
            }
            let task = Task { await work() }
            recall.add(number, to: part.map(\.number), task)
            for attempt in part {
                waves?.sent(attempt.number, on: platform)
                // The wave closed during the claim: the sender gives the push back.
                if waves?.maySend(attempt.number) == false { task.cancel() }
            }
            group.addTask {
                await withTaskCancellationHandler {
                    await task.value
                } onCancel: {
                    task.cancel()
                }
            }
        }
    }

    private mutating func sleep(until time: Duration?) {
        let now = timeline.now
        alarm.set(for: min(time ?? .seconds(3_600), now + Self.tick), at: now)
    }

    // MARK: Taking in

    private mutating func handle(_ happened: [RunEvent]) {
        let time = timeline.now
        for case .results(let results, let page) in happened {
            guard let platform = pages.platform(of: page) else { continue }
            judge.note(results, on: platform, at: time)
        }
        let before = journal.requests
        defer {
            meter.add(journal.requests - before, at: time)
            let isResult = happened.contains { if case .results = $0 { true } else { false } }
            watch.note(hasOut: !pages.isEmpty, isResult: isResult, at: time)
        }
        for event in happened {
            switch event {
            case .alarm:
                break
            case .cancelled:
                let trouble = judge.outage?.trouble ?? trouble(at: time)
                end(.paused(Pause(interruptedIn: trouble, at: steady.now)))
            case .results(let results, let page):
                settle(pages.take(results, of: page), at: time)
                share?.answered(results.count, of: page)
            case .sent(let page):
                recall.remove(page)
                if let lost = pages.close(page) { settle(lost, at: time) }
                share?.closed(page)
            case .news(let news, let asked):
                hear(news, asked: asked, at: time)
            case .partFailed(let error):
                fail(error)
            }
        }
    }

    /// - Parameter answers: nil: they came for a page that is not out.
    private mutating func settle(_ answers: OutstandingPages.Answers?, at time: Duration) {
        guard let answers else { return complain() }
        if answers.strays > 0 { complain() }
        let recorded = now()
        var isThrottled = false
        for answer in answers.pushes {
            let result = answer.result
            scheduler.answered(
                1, of: answer.attempt.claims.count, on: answers.platform, at: time)
            waves?.answered(answer.attempt.number, on: answers.platform)
            journal.noteRequests(result.requests)
            if case .retry(_, .throttled) = result.disposition {
                scheduler.throttled(answers.platform, at: time)
                isThrottled = true
            }
            let verdict = judge.judge(
                result, of: answer.attempt, on: answers.platform, at: time,
                isEnding: !life.takesNewWork, using: &generator)
            journal.note(
                verdict, on: answers.platform, detail: result.detail,
                hubMessage: result.hubMessage, at: recorded)
            let claims = verdict.attempt.claims.span
            for index in claims.indices {
                guard case .ended(let outcome) = verdict.state(of: claims[index]) else { continue }
                breaker.note(outcome)
            }
            if let pause = verdict.pause { take(pause) }
            let isHeld = isHeld(answers.platform)
            if let due = verdict.due, !isHeld, keepsRetry(verdict.attempt, on: answers.platform) {
                scheduler.retry(verdict.attempt, on: answers.platform, due: due)
            } else if verdict.due != nil || (isHeld && verdict.state == .waiting) {
                share?.drop([verdict.attempt], on: answers.platform)
            }
        }
        if isThrottled { share?.slowDown(scheduler.traffic) }
        endIfTooManyFailed()
    }

    private func isHeld(_ platform: Platform) -> Bool { held.contains { $0.platform == platform } }

    private mutating func take(_ pause: Pause) {
        guard let platform = pause.platform else { return end(.paused(pause)) }
        guard life.takesNewWork, !isHeld(platform) else { return }
        held.append(pause)
        if held.count == run.platforms.count, let all = Pause(held, of: run.platforms) {
            return end(.paused(all))
        }
        let forgotten = scheduler.hold(platform)
        share?.drop(forgotten, on: platform)
        logger.notice("One platform is held up; the others go on: \(pause.reason)")
    }

    /// Pauses the run if too many deliveries of all processes ended badly.
    private mutating func endIfTooManyFailed() {
        guard life.takesNewWork, let fault = breaker.fault else { return }
        end(.paused(Pause(.tooManyFailures, detail: fault)))
        share?.raise(fault)
    }

    private mutating func hear(_ news: RunNews, asked: Int, at time: Duration) {
        guard let change = share?.hear(news, asked: asked) else { return }
        guard news.state == .running else { return fail(RunPartLost(run.id)) }
        if news.mayLackWrites { return fail(StoreMoved()) }
        breaker.note(change.outcomes)
        // Results before the first look were already read from the ledger.
        if !change.isOld {
            journal.noteOthers(change.outcomes, requests: change.requests)
            scheduler.others(change.traffic, at: time)
        }
        scheduler.keep(to: news.rate)
        if news.hasFree, judge.outage == nil || news.others.isEmpty { readAgain() }
        leaveRetries(toOthersWhoseAnswersAre: change, at: time)
        if let mode = news.stopRequest { end(.stopped(mode)) }
        if let fault = news.fault { end(.paused(Pause(.tooManyFailures, detail: fault))) }
        endIfTooManyFailed()
    }

    /// Leaves retries to processes that the hub answers, while it does not answer this one.
    ///
    /// Keeps one retry per platform, to find out when the hub answers again.
    private mutating func leaveRetries(
        toOthersWhoseAnswersAre change: OtherWorkers.Change, at time: Duration
    ) {
        guard !change.isOld, change.outcomes[.accepted] > 0, let outage = judge.outage,
            time - outage.since > Self.ownTrouble
        else { return }
        for (platform, attempts) in scheduler.dropAllButOne() {
            share?.drop(attempts, on: platform)
        }
    }

    private mutating func fail(_ error: any Error) {
        if error is RunPartLost { share?.lose() }
        if case .failed = life { return }
        life = .failed(error)
    }

    private func keepsRetry(_ attempt: Attempt, on platform: Platform) -> Bool {
        waves?.keepsRetry(attempt.number, on: platform) ?? true
    }

    private func complain() {
        logger.warning("A result for no push of its page was left out")
    }

    private mutating func write() async throws {
        while let batch = journal.nextBatch {
            try await ledger.record(batch.records, requests: batch.requests, of: run.id)
            journal.wrote(batch)
        }
    }

    /// Tries once more to record results; deliveries that fail stay `sending` and uncertain.
    private mutating func writeAfterFailure() async {
        if case .failed(is RunPartLost) = life { return }
        do {
            try await write()
        } catch {
            logger.error(
                "Answers of the hub could not be written down",
                metadata: ["answers": "\(journal.unwrittenCount)"])
        }
    }

    // MARK: Telling

    private mutating func report() {
        let time = timeline.now
        guard time >= nextReport else { return }
        nextReport = time + Self.tick
        watch.look(at: time)
        let trouble = life.takesNewWork ? trouble(at: time) : nil
        tell(trouble)
        observe(progress(journal.outcomes, trouble: trouble))
        tellOthers()
    }

    /// Reports this process's state to the others, once all results are recorded.
    private mutating func tellOthers() {
        guard share != nil, journal.nextBatch == nil else { return }
        share?.tell(
            outcomes: journal.ownOutcomes, requests: journal.ownRequests,
            traffic: scheduler.traffic)
    }

    /// Why the run stands still; nil also for a short time.
    private func trouble(at time: Duration) -> HubTrouble? {
        let now = steady.now
        return watch.trouble(judge, at: time) {
            now.addingTimeInterval(($0 - time) / .seconds(1))
        }
    }

    /// Logs new trouble, and its end.
    ///
    /// A notice, not a warning: short trouble passes, and lasting trouble pauses the run with its
    /// reason.
    private mutating func tell(_ trouble: HubTrouble?) {
        guard watch.isNews(trouble, judge, at: timeline.now) else { return }
        logger.notice(
            "\(trouble.map { "Waiting for the hub: \($0.gist)" } ?? "The hub answers again")")
    }

    private func progress(_ outcomes: OutcomeCounts, trouble: HubTrouble? = nil) -> RunProgress {
        RunProgress(
            run: run.id, deliveries: run.deliveries, outcomes: outcomes,
            requests: journal.requests, rate: meter.rate(at: timeline.now), started: run.started,
            trouble: trouble, others: share?.othersCount ?? 0)
    }

    // MARK: Concluding

    /// Records the run's end, once nobody else works on it.
    mutating func conclude(
        _ cause: EndCause, in ledger: any RunLedger
    ) async throws -> RunSummary {
        // Time may have passed while waiting for others.
        let instant = steady.second
        if share != nil { _ = waves?.advance(to: instant) }
        let summary = try await RunConclusion.write(
            run, cause, waves: waves, in: ledger, now: now)
        if summary.result == .finished { tell(nil) }
        observe(progress(summary.outcomes))
        logger.info(
            "The work on a run ended",
            metadata: [
                "state": "\(summary.record.state)",
                "requests": "\(journal.requests)",
                "seconds-sending": "\(timeline.now / .seconds(1))",
            ])
        return summary
    }
}
