import CampaignCore
import FoundationEssentials
import Logging

/// Works on a staged run until it ends: claims pages, hands them over, writes down what became of them.
///
/// One task owns it and does all of it in turn; pages run beside it and leave their results in the mailbox. What to do is
/// decided by ``PageScheduler`` and ``ResultJudge``; this only does it.
struct RunEngine {
    /// How often it looks for a request to stop.
    private static let stopInterval: Duration = .milliseconds(500)
    /// How often it tells about progress, and the longest it sleeps.
    private static let tick: Duration = .milliseconds(250)
    /// Transactions stay this small, so that others who use the store do not wait.
    private static let recordLimit = 5_000

    private let run: RunRecord
    private let ledger: any RunLedger
    private let sender: any PushSender
    private let timeline: Timeline
    private let now: @Sendable () -> Date
    private let steady: SteadyTime
    private let onUnknown: UnknownPolicy
    private let mailbox: Mailbox<RunEvent>
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

    private var pages: [Int: OutstandingPage] = [:]
    private var pagesSent = 0
    private var unrecorded: [DeliveryRecord] = []
    private var uncountedRequests = 0
    private var outcomes = OutcomeCounts()
    private var requests: Int
    private var nextStopCheck: Duration = .zero
    private var nextReport: Duration = .zero
    private var alarm: Alarm
    private var clockStep = ClockStep()
    private var hasSettledInterrupted = false
    private var ending: RunEnding?
    private var failure: (any Error)?

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
    private mutating func end(_ ending: RunEnding) {
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

    /// Decides about the deliveries that an earlier process left `sending`: they may have gone out.
    private mutating func settleInterrupted() async throws {
        guard !hasSettledInterrupted else { return }
        for platform in run.platforms {
            var last = 0
            while true {
                let claims = try await ledger.interrupted(
                    run.id, platform: platform, after: last, limit: Self.recordLimit)
                guard let end = claims.last else { break }
                last = end.number
                noteInterrupted(claims, on: platform)
                try await write()
            }
        }
        hasSettledInterrupted = true
    }

    private mutating func noteInterrupted(_ claims: [DeliveryClaim], on platform: Platform) {
        let state: DeliveryRecord.State =
            switch onUnknown {
            case .resend: .waiting
            case .hold: .ended(.unknown)
            }
        note(
            Verdict(state: state, attempt: Attempt(claims[...])), on: platform,
            detail: "the process ended before the hub's answer was written down", hubMessage: nil,
            at: now())
    }

    /// Gives out pages until none may go now.
    private mutating func dispatch(_ group: inout DiscardingTaskGroup) async throws {
        let sharing = run.delivery.recipientsPerPush
        while true {
            scheduler.access = judge.access
            let start = timeline.now
            switch scheduler.next(at: start) {
            case .scan(let platform, let number, let limit):
                let claims = try await ledger.waiting(
                    run.id, platform: platform, after: number, limit: limit * sharing)
                scheduler.scanned(
                    Attempt.pushes(of: claims, sharedBy: sharing), upTo: claims.last?.number,
                    on: platform)
            case .sendAgain(let platform, let attempts):
                try await ledger.claimAgain(
                    run.id, platform: platform,
                    numbers: attempts.flatMap { $0.claims.map(\.number) }, at: now())
                send(attempts, on: platform, from: start, in: &group)
            case .sendFresh(let platform, let limit):
                let page = try await ledger.claimNext(
                    run.id, platform: platform, limit: limit * sharing,
                    cap: run.isRehearsal ? nil : run.delivery.frequencyCap, at: now())
                if page.isEmpty { scheduler.ranDry(platform) }
                outcomes[.skipped] += page.skipped
                outcomes[.notAttempted] -= page.skipped
                // Many may be passed over in a row, and others wait for their turn meanwhile.
                if page.claims.isEmpty, page.skipped > 0 { return mailbox.post(.alarm) }
                send(
                    Attempt.pushes(of: page.claims, sharedBy: sharing), on: platform, from: start,
                    in: &group)
            case .wait(let time):
                sleep(until: time)
                return
            case .finish:
                end(.complete)
                return
            }
        }
    }

    /// Looks, now and then, whether another process asked for a stop.
    private mutating func checkStop() async throws {
        let time = timeline.now
        guard ending == nil, time >= nextStopCheck else { return }
        nextStopCheck = time + Self.stopInterval
        if let mode = try await ledger.stopRequest(run.id) { end(.stopped(mode)) }
    }

    private mutating func send(
        _ attempts: [Attempt], on platform: Platform, from start: Duration,
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
        // Usually one; more when people who were to share a push turn out to have notifications of their own.
        for first in stride(from: 0, to: attempts.count, by: PushPage.maximumCount) {
            let part = attempts[first..<min(first + PushPage.maximumCount, attempts.count)]
            let number = pagesSent
            pagesSent += 1
            pages[number] = OutstandingPage(
                platform: platform, attempts: part, start: start)
            let page = composer.page(of: part, on: platform, pace: pace, now: steady.now)
            group.addTask { [sender, mailbox] in
                await sender.send(page) { results in
                    mailbox.post(.results(results, page: number))
                }
                mailbox.post(.sent(page: number))
            }
        }
    }

    /// Sees to it that the next turn comes in time.
    private mutating func sleep(until time: Duration?) {
        let now = timeline.now
        alarm.set(for: min(time ?? .seconds(3_600), now + Self.tick), at: now)
    }

    /// Takes in what has happened.
    private mutating func handle(_ events: [RunEvent]) {
        let time = timeline.now
        for case .results(let results, _) in events { judge.note(results, at: time) }
        let before = requests
        defer {
            meter.add(requests - before, at: time)
            let isResult = events.contains { if case .results = $0 { true } else { false } }
            watch.note(hasOut: !pages.isEmpty, isResult: isResult, at: time)
        }
        for event in events {
            switch event {
            case .alarm:
                break
            case .cancelled:
                end(
                    .paused(
                        Pause(
                            interruptedIn: judge.outage?.trouble ?? trouble(at: time),
                            at: steady.now)))
            case .results(let results, let page):
                settle(results, of: page, at: time)
            case .sent(let page):
                close(page, at: time)
            }
        }
    }

    /// Writes down what became of deliveries since the last time.
    private mutating func write() async throws {
        while !unrecorded.isEmpty || uncountedRequests > 0 {
            // As a rule all at once, and then without a copy.
            let isAll = unrecorded.count <= Self.recordLimit
            let batch = isAll ? unrecorded : Array(unrecorded.prefix(Self.recordLimit))
            try await ledger.record(batch, requests: uncountedRequests, of: run.id)
            if isAll { unrecorded = [] } else { unrecorded.removeFirst(batch.count) }
            uncountedRequests = 0
        }
    }

    /// Notes what is to be written down about the deliveries of a push.
    private mutating func note(
        _ verdict: Verdict, on platform: Platform, detail: String, hubMessage: String?,
        at time: Date
    ) {
        let attempt = verdict.attempt
        for claim in attempt.claims {
            let state = verdict.state(of: claim)
            unrecorded.append(
                DeliveryRecord(
                    number: claim.number, platform: platform, state: state,
                    attempts: claim.attempts + attempt.tries,
                    isUncertain: claim.isUncertain || attempt.isUncertain, detail: detail,
                    hubMessage: hubMessage, recordedAt: time))
            guard case .ended(let outcome) = state else { continue }
            outcomes[outcome] += 1
            outcomes[.notAttempted] -= 1
        }
    }

    private mutating func settle(_ results: [PushResult], of number: Int, at time: Duration) {
        // Out of the dictionary, so that it is changed in place.
        guard var page = pages.removeValue(forKey: number) else { return complain() }
        let recorded = now()
        for result in results {
            guard let attempt = page.take(result.number) else {
                complain()
                continue
            }
            scheduler.answered(
                1, of: attempt.claims.count, on: page.platform, at: time)
            uncountedRequests += result.requests
            requests += result.requests
            if case .retry(_, .throttled) = result.disposition {
                scheduler.throttled(page.platform, at: time)
            }
            let verdict = judge.judge(
                result, of: attempt, at: time, isEnding: ending != nil, using: &generator)
            note(
                verdict, on: page.platform, detail: result.detail, hubMessage: result.hubMessage,
                at: recorded)
            for claim in verdict.attempt.claims {
                if case .ended(let outcome) = verdict.state(of: claim) { breaker.note(outcome) }
            }
            if let due = verdict.due {
                scheduler.retry(verdict.attempt, on: page.platform, due: due)
            }
            if let pause = verdict.pause { end(.paused(pause)) }
        }
        pages[number] = page
        if ending == nil, let fault = breaker.fault {
            end(.paused(Pause(.tooManyFailures, detail: fault)))
        }
    }

    private func complain() {
        logger.warning(
            "A result for no push of its page was left out", metadata: ["run": "\(run.id)"])
    }

    /// Ends a page; a push of it without a result may have gone out.
    private mutating func close(_ page: Int, at time: Duration) {
        let lost = (pages[page]?.unanswered ?? []).map { number in
            PushResult(
                number: number, disposition: .unknown, detail: "the sender gave no result",
                requests: 0)
        }
        if !lost.isEmpty { settle(lost, of: page, at: time) }
        pages[page] = nil
    }

    /// Writes the run's end down.
    ///
    /// - Returns: the run as it now is, its outcomes and how it ended.
    /// - Throws: the ledger's failure, or ``RunError/unaccounted(_:deliveries:)``.
    private mutating func conclude() async throws -> (RunRecord, OutcomeCounts, RunEnd) {
        if let failure {
            await writeAfterFailure()
            throw failure
        }
        outcomes = try await ledger.outcomes(run.id)
        let end: RunEnd
        do {
            end = try closing()
        } catch {
            // Damage that came while it was worked on is no fault of this program.
            try await ledger.verify(run.id)
            throw error
        }
        if try await endRemaining() { outcomes = try await ledger.outcomes(run.id) }
        try await ledger.setState(end.state, reason: end.reason, of: run.id, at: now())
        guard let record = try await ledger.run(run.id) else { throw RunError.noSuchRun(run.id) }
        if end == .finished { tell(nil) }
        observe(progress())
        logger.info(
            "The work on a run ended",
            metadata: [
                "run": "\(run.id)", "state": "\(end.state)", "requests": "\(requests)",
                "seconds-sending": "\(timeline.now / .seconds(1))",
            ])
        return (record, outcomes, end)
    }

    /// Gives what is left its outcome, where the run is to end with it.
    private func endRemaining() async throws -> Bool {
        switch ending {
        // Also with nobody left: the payloads may have to be taken back.
        case .stopped(let mode):
            try await ledger.endRemaining(run.id, by: mode, at: now())
            return mode != .resumable
        case .late(let detail) where outcomes[.notAttempted] > 0:
            try await ledger.endRemaining(run.id, as: .skipped, detail: detail, at: now())
            return true
        case .complete, .late, .paused, .failed, nil:
            return false
        }
    }

    /// Tells about progress when it is time to.
    private mutating func report() {
        let time = timeline.now
        guard time >= nextReport else { return }
        nextReport = time + Self.tick
        tell(ending == nil ? trouble(at: time) : nil)
        observe(progress())
    }

    /// Why the run stands still; nil when it does not, or not for long.
    private func trouble(at time: Duration) -> HubTrouble? {
        let now = steady.now
        return watch.trouble(judge, at: time) {
            now.addingTimeInterval(($0 - time) / .seconds(1))
        }
    }

    /// Writes a trouble to the log when it is another than before, and when it is over.
    ///
    /// It is no warning: a short one is nobody's business, and a lasting one pauses the run, which then says why.
    private mutating func tell(_ trouble: HubTrouble?) {
        guard watch.isNews(trouble, judge, at: timeline.now) else { return }
        logger.notice(
            "\(trouble.map { "Waiting for the hub: \($0.gist)" } ?? "The hub answers again")",
            metadata: ["run": "\(run.id)"])
    }

    private func progress() -> RunProgress {
        let time = timeline.now
        return RunProgress(
            run: run.id, deliveries: run.deliveries, outcomes: outcomes, requests: requests,
            rate: meter.rate(at: time), started: run.started,
            trouble: ending == nil ? trouble(at: time) : nil)
    }

    /// How the run ends: whatever ended the work, it is finished when every delivery has an outcome, and only then.
    private func closing() throws(RunError) -> RunEnd {
        let left = outcomes[.notAttempted]
        if left == 0 { return .finished }
        switch ending {
        case .stopped(.resumable):
            return .stopped
        case .stopped:
            return .ended
        case .late:
            return .finished
        case .paused(let pause):
            return .paused(pause.cause, reason: pause.reason)
        case .complete, .failed, nil:
            throw .unaccounted(run.id, deliveries: left)
        }
    }

    /// The answers that came in after the ledger failed may fit by now; what does not is `sending` and stays uncertain.
    private mutating func writeAfterFailure() async {
        do {
            try await write()
        } catch {
            logger.error(
                "Answers of the hub could not be written down",
                metadata: ["run": "\(run.id)", "answers": "\(unrecorded.count)"])
        }
    }
}

extension RunEnd {
    fileprivate var state: RunState {
        switch self {
        case .finished, .alreadyFinished, .ended: .finished
        case .stopped: .stopped
        case .paused: .paused
        }
    }

    fileprivate var reason: String? {
        if case .paused(_, let reason) = self { reason } else { nil }
    }
}

/// Why the engine takes no new work.
private enum RunEnding: Hashable, Sendable {
    /// There is none.
    case complete
    /// The run's time is up; what is left is skipped, for this reason.
    case late(detail: String)
    case stopped(StopMode)
    case paused(Pause)
    /// The ledger failed; nothing more can be promised.
    case failed
}
