import CampaignCore
import FoundationEssentials
import Logging

extension RunEngine {
    /// Takes in what has happened.
    mutating func handle(_ events: [RunEvent]) {
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
    mutating func write() async throws {
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
    mutating func note(
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
}
