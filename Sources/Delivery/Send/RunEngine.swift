import CampaignCore
import FoundationEssentials
import Logging

/// Works on a staged run until it ends: claims pages, hands them over, writes down what became of them.
///
/// One task owns it and does all of it in turn; pages run beside it and leave their results in the event queue.
/// ``PageScheduler`` and ``ResultJudge`` decide what to do; this only does it.
struct RunEngine {
    /// How often it looks for a request to stop.
    private static let stopInterval: Duration = .milliseconds(500)
    /// How often it tells about progress, and the longest it sleeps.
    private static let tick: Duration = .milliseconds(250)
    /// After so long without the hub, this process leaves its retries to others whom the hub answers.
    private static let ownTrouble: Duration = .seconds(3)
    /// What is written down about a delivery that a process left `sending`.
    private static let interruption =
        "the process ended before the hub's answer was written down"

    /// Where the work stands.
    private enum Life {
        /// Deliveries that an earlier process left `sending` are to be settled before anything is sent.
        case beginning
        case sending
        /// Nothing new is begun; what is out is waited for.
        case ending(EndCause)
        /// The ledger failed; nothing more can be promised.
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
    /// The time of day, for what is written down.
    private let now: @Sendable () -> Date
    /// The time of day, for deadlines.
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
    /// nil: everybody's turn is at once.
    private var waves: WaveProgress?
    private var recall = PageRecall()
    /// nil: nobody else works on the run.
    private var share: SharedRun?

    private var life = Life.beginning
    /// Why platforms are held up while the others are sent to.
    private var held: [Pause] = []
    private var pages = OutstandingPages()
    private var journal: OutcomeJournal
    private var nextStopCheck: Duration = .zero
    private var nextReport: Duration = .zero

    /// - Parameters:
    ///   - ledger: where outcomes are kept; with `share`, the ledger of its part.
    ///   - share: its side of a run that others work on too; nil: nobody else works on it.
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

    /// Works until nothing is left to do, or something ends it; all results that came are durable then.
    ///
    /// - Returns: why it ended, for ``conclude(_:in:)``.
    /// - Throws: what the ledger throws; deliveries that went out and have no recorded outcome are then still `sending`.
    mutating func work() async throws -> EndCause {
        events.post(.alarm)
        await withDiscardingTaskGroup { group in
            repeat {
                handle(await events.receive())
                await advance(&group)
                report()
                // Then the sender begins nothing more, and gives back pushes that have not begun.
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
            // The loop never ends this way.
            throw RunError.unaccounted(run.id, deliveries: journal.outcomes[.notAttempted])
        }
    }

    /// Ends the work; the first cause counts.
    private mutating func end(_ cause: EndCause) {
        if life.takesNewWork { life = .ending(cause) }
    }

    /// One turn of the work: writes down what came in, then gives out what may go.
    private mutating func advance(_ group: inout DiscardingTaskGroup) async {
        if case .failed = life { return }
        do {
            try await write()
            try await share?.letGo()
            try await checkStop()
            if isLate() { end(.late(detail: deadline.detail)) }
            // The first news of a shared run say how fast pushes may go out.
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

    /// Looks now and then whether another process asked for a stop; in a shared run, the news tell of it.
    private mutating func checkStop() async throws {
        let time = timeline.now
        guard share == nil, life.takesNewWork, time >= nextStopCheck else { return }
        nextStopCheck = time + Self.stopInterval
        if let mode = try await ledger.stopRequest(run.id) { end(.stopped(mode)) }
    }

    /// Whether the run's time is up.
    ///
    /// If the machine's clock was set, that is logged, and does not count.
    private mutating func isLate() -> Bool {
        let time = steady.now
        if let step = clockStep.look(at: now(), steady: time) {
            logger.warning("\(ClockStep.sentence(step))")
        }
        return time >= deadline.date
    }

    // MARK: Giving out

    /// What becomes of a delivery that another process left `sending`: it may have gone out.
    private var interruptedState: DeliveryRecord.State {
        switch onUnknown {
        case .resend: .waiting
        case .hold: .ended(.unknown)
        }
    }

    /// Decides about the deliveries that an earlier process left `sending`.
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

    /// Decides about the deliveries that other processes of a shared run left `sending`, at the beginning and whenever one has ended.
    private mutating func settleAbandoned() async throws {
        let (state, time) = (interruptedState, now())
        let count = try await share?.settle(as: state, detail: Self.interruption, at: time) ?? 0
        guard count > 0 else { return }
        switch state {
        case .waiting: readAgain()
        case .ended(let outcome): journal.noteOthers(OutcomeCounts([outcome: count]))
        }
    }

    /// Reads again what waits in the ledger and is nobody's.
    private mutating func readAgain() {
        if waves == nil { scheduler.readAgain() } else { waves?.readAgain() }
    }

    /// Gives out pages until none may go now.
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
                // Many people may be passed over in a row; the other platforms have their turn in between.
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

    /// Whether nobody has anything left to do, given that this engine has not.
    private mutating func isOver() -> Bool {
        tellOthers()
        return share?.isOver(hasWaves: waves != nil) ?? true
    }

    /// Goes on with the waves that are open now.
    ///
    /// Pages of a wave that has closed are called off, and its retries are forgotten here; they stand in the ledger.
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

    /// When a wave opens or closes next, on the run's timeline; nil: no wave does any more.
    private func waveChange(from time: Duration) -> Duration? {
        guard let change = waves?.nextChange else { return nil }
        // A moment later than computed, so that rounding does not make it a moment too early.
        return time + .seconds(Double(change) - steady.now.timeIntervalSince1970)
            + .milliseconds(1)
    }

    /// Hands pushes over.
    ///
    /// - Parameter claim: ``ClaimedPage/id`` of what was claimed now; nil: the claim has no id.
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
        // Usually one; more when people who were to share a push turn out to have notifications of their own.
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
                // The push's wave has closed while it was claimed: the sender gives the push back.
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

    /// Sets the alarm for the next turn.
    private mutating func sleep(until time: Duration?) {
        let now = timeline.now
        alarm.set(for: min(time ?? .seconds(3_600), now + Self.tick), at: now)
    }

    // MARK: Taking in

    /// Takes in what has happened.
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

    /// Decides what the results of pushes mean.
    ///
    /// - Parameter answers: the results; nil: they came for a page that is not out.
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

    /// Holds up a platform, or ends the work on all of them.
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

    /// Pauses the run when too many deliveries have ended badly, over all who work on it.
    private mutating func endIfTooManyFailed() {
        guard life.takesNewWork, let fault = breaker.fault else { return }
        end(.paused(Pause(.tooManyFailures, detail: fault)))
        share?.raise(fault)
    }

    /// Takes in what others who work on the run have told.
    private mutating func hear(_ news: RunNews, asked: Int, at time: Duration) {
        guard let change = share?.hear(news, asked: asked) else { return }
        guard news.state == .running else { return fail(RunPartLost(run.id)) }
        if news.mayLackWrites { return fail(StoreMoved()) }
        breaker.note(change.outcomes)
        // What was done before the first look was read from the ledger already.
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

    /// Leaves retries to other processes that the hub answers, while it does not answer this one.
    ///
    /// One retry of each platform is kept, to find out when the hub answers again.
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

    /// Ends the work at once.
    private mutating func fail(_ error: any Error) {
        if error is RunPartLost { share?.lose() }
        if case .failed = life { return }
        life = .failed(error)
    }

    /// Whether a push that is to go out again is kept in memory until then.
    private func keepsRetry(_ attempt: Attempt, on platform: Platform) -> Bool {
        waves?.keepsRetry(attempt.number, on: platform) ?? true
    }

    private func complain() {
        logger.warning("A result for no push of its page was left out")
    }

    /// Writes down what became of deliveries since the last time.
    private mutating func write() async throws {
        while let batch = journal.nextBatch {
            try await ledger.record(batch.records, requests: batch.requests, of: run.id)
            journal.wrote(batch)
        }
    }

    /// Tries once more to write the answers that came in; deliveries that cannot be written stay `sending`, and uncertain.
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

    /// Tells about progress when it is time to.
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

    /// Tells the others who work on the run where this process stands, once all results are written down.
    private mutating func tellOthers() {
        guard share != nil, journal.nextBatch == nil else { return }
        share?.tell(
            outcomes: journal.ownOutcomes, requests: journal.ownRequests,
            traffic: scheduler.traffic)
    }

    /// Why the run stands still; nil when it does not, or not for long.
    private func trouble(at time: Duration) -> HubTrouble? {
        let now = steady.now
        return watch.trouble(judge, at: time) {
            now.addingTimeInterval(($0 - time) / .seconds(1))
        }
    }

    /// Writes a trouble to the log when it is a new one, and when it is over.
    ///
    /// That is a notice and not a warning: a short trouble passes, and a lasting one pauses the run with its reason.
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

    /// Writes the run's end down, once nobody else works on it.
    ///
    /// - Parameters:
    ///   - cause: what ``work()`` returned.
    ///   - ledger: where the run is kept.
    /// - Returns: the run, its outcomes and how it ended, all of it durable.
    /// - Throws: as ``RunConclusion/write(_:_:waves:in:now:)``.
    mutating func conclude(
        _ cause: EndCause, in ledger: any RunLedger
    ) async throws -> RunSummary {
        // Time may have passed while this process waited for others.
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
