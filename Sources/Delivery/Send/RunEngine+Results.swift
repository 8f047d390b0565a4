import CampaignCore
import Logging

extension RunEngine {
    /// Takes in what has happened.
    mutating func handle(_ events: [RunEvent]) {
        let time = timeline.now
        for case .results(let results, _) in events { judge.note(results, at: time) }
        let before = requests
        defer { meter.add(requests - before, at: time) }
        for event in events {
            switch event {
            case .alarm:
                break
            case .cancelled:
                end(.paused(Pause(.cancelled)))
            case .results(let results, let page):
                for result in results { settle(result, of: page, at: time) }
            case .sent(let page):
                close(page, at: time)
            }
        }
    }

    /// Writes down what became of deliveries since the last time.
    mutating func write() async throws {
        while !unrecorded.isEmpty || uncountedRequests > 0 {
            let batch = Array(unrecorded.prefix(Self.recordLimit))
            try await ledger.record(batch, requests: uncountedRequests, of: run.id)
            unrecorded.removeFirst(batch.count)
            uncountedRequests = 0
        }
    }

    /// Notes what is to be written down about a delivery.
    mutating func note(
        _ attempt: Attempt, as state: DeliveryRecord.State, on platform: Platform, detail: String,
        hubMessage: String?
    ) {
        unrecorded.append(
            DeliveryRecord(
                number: attempt.claim.number, platform: platform, state: state,
                attempts: attempt.claim.attempts, isUncertain: attempt.claim.isUncertain,
                detail: detail, hubMessage: hubMessage, recordedAt: now()))
        guard case .ended(let outcome) = state else { return }
        outcomes[outcome] += 1
        outcomes[.notAttempted] -= 1
    }

    private mutating func settle(_ result: PushResult, of page: Int, at time: Duration) {
        guard let platform = pages[page]?.platform, let attempt = pages[page]?.take(result.number)
        else {
            logger.warning(
                "A result for no push of its page was left out", metadata: ["run": "\(run.id)"])
            return
        }
        scheduler.answered(1)
        uncountedRequests += result.requests
        requests += result.requests
        let verdict = judge.judge(
            result, of: attempt, at: time, isEnding: ending != nil, using: &generator)
        note(
            verdict.attempt, as: verdict.state, on: platform, detail: result.detail,
            hubMessage: result.hubMessage)
        if let due = verdict.due { scheduler.retry(verdict.attempt, on: platform, due: due) }
        if let pause = verdict.pause { end(.paused(pause)) }
    }

    /// Ends a page; a push of it without a result may have gone out.
    private mutating func close(_ page: Int, at time: Duration) {
        for attempt in pages[page]?.unanswered ?? [] {
            let lost = PushResult(
                number: attempt.claim.number, disposition: .unknown,
                detail: "the sender gave no result", requests: 0)
            settle(lost, of: page, at: time)
        }
        pages[page] = nil
    }
}
