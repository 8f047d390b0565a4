import CampaignCore
import FoundationEssentials
import Logging
import Synchronization

/// A run with one recipient, for a payload that a user sends to their own devices.
///
/// The run is stored as a rehearsal, so statistics ignore it.
struct OwnRun {
    /// The campaign name of these runs.
    static let campaign = "to-self"

    let user: Username
    /// The platforms of the user's devices, never empty.
    let platforms: [Platform]
    let environment: BackendEnvironment

    /// Stores the payload, pushes its id once to each platform, and records the outcomes.
    ///
    /// If the store throws, the run is finished if possible, and pushes that may have been sent
    /// become `unknown`.
    ///
    /// - Returns: the payload's id and a result for each platform.
    func send(_ payload: String) async throws -> (NotificationID, [PushResult]) {
        var generator = environment.random
        let start = environment.now()
        let run = record(.make(startingAt: start, using: &generator), start: start)
        let notification = NewNotification(
            id: .random(using: &generator), type: nil,
            content: .text(payload, mediaType: "text/plain; charset=utf-8"))
        let store = environment.store
        try await store.begin(run)
        try await store.store(notification, of: run.id)
        try await store.append([StagedRecipient(username: user)], to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(named: 1, final: 1))
        do {
            let results = try await push(run)
            try await store.setState(.finished, reason: nil, of: run.id, at: environment.now())
            return (notification.id, results)
        } catch {
            await OwnRunRecovery(store: store, logger: environment.logger)
                .finish(run.id, at: environment.now())
            throw error
        }
    }

    private func push(_ run: RunRecord) async throws -> [PushResult] {
        var results: [PushResult] = []
        for platform in platforms {
            let page = try await environment.store.claimNext(
                run.id, platform: platform, limit: 1, cap: nil, at: environment.now())
            for claim in page.claims {
                results.append(try await send(claim, on: platform, of: run))
            }
        }
        return results
    }

    private func send(
        _ claim: DeliveryClaim, on platform: Platform, of run: RunRecord
    ) async throws -> PushResult {
        let form = PushBody(kind: run.kind, platform: platform)
        let now = environment.now()
        let body = form.bytes(
            PushContent(notification: claim.notification), expires: run.expires, now: now)
        let page = PushPage(
            platform: platform, contentType: form.contentType,
            headers: form.headers(expires: run.expires, now: now),
            pushes: [Push(number: 0, usernames: [user], body: body)], interval: nil, run: run.id)
        let result = await environment.sender.result(ofOnly: page)
        let outcome = Outcome(result.disposition)
        let record = DeliveryRecord(
            number: claim.number, platform: platform, state: .ended(outcome),
            attempts: claim.attempts + 1, isUncertain: outcome == .unknown, detail: result.detail,
            hubMessage: result.hubMessage, recordedAt: environment.now())
        try await environment.store.record([record], requests: result.requests, of: run.id)
        return result
    }

    private func record(_ id: RunID, start: Date) -> RunRecord {
        RunRecord(
            id: id, campaign: Self.campaign, hub: environment.hub, occurrence: .rehearsal(id),
            isRehearsal: true, state: .staging, kind: .secure, platforms: platforms,
            isMessagePrivate: true, campaignPath: "", delivery: DeliveryPolicy(),
            fingerprints: [:], started: start,
            expires: start.addingTimeInterval(environment.limits.ownPayloadLife / .seconds(1)))
    }
}

extension Outcome {
    /// The outcome of a push that is not retried.
    fileprivate init(_ disposition: PushDisposition) {
        switch disposition {
        case .accepted: self = .accepted
        case .rejected: self = .rejected
        case .unknown: self = .unknown
        case .retry, .stop, .notSent: self = .failed
        }
    }
}

/// Finishes runs of ``OwnRun`` that were left open by an error or a killed process, because nobody
/// resumes them.
struct OwnRunRecovery {
    /// How long such a run may take if the hub does not respond, in seconds.
    private static let longest: TimeInterval = 300

    let store: any RunLedger
    let logger: Logger

    /// Finishes open runs; failures are logged, and the next start tries again.
    ///
    /// Recent runs are left unchanged, because another server that shares the store may still work
    /// on them.
    func finishRuns(at time: Date) async {
        do {
            let mayBeUnderWay = store.sharing != nil
            for run in try await store.runs(.unfinished(of: OwnRun.campaign)) {
                if mayBeUnderWay, run.started > time - Self.longest { continue }
                await finish(run.id, at: time)
            }
        } catch {
            logger.error(
                "Interrupted sends to users' own devices could not be looked up.",
                metadata: ["error": "\(error)"])
        }
    }

    /// Marks pushes that may have been sent as `unknown`, and the others as `failed`.
    func finish(_ run: RunID, at time: Date) async {
        do {
            try await store.endRemaining(
                run, as: .failed, because: nil, detail: "interrupted", at: time)
            try await store.setState(.finished, reason: nil, of: run, at: time)
        } catch {
            logger.error(
                "A send to a user's own devices was interrupted; the next start finishes it.",
                metadata: ["run": "\(run)", "error": "\(error)"])
        }
    }
}

extension PushSender {
    /// Sends a page with one push and waits for the result; `unknown` if the sender returns none.
    func result(ofOnly page: PushPage) async -> PushResult {
        let last = LastResult()
        await send(page) { results in
            last.value.withLock { $0 = results.last ?? $0 }
        }
        return last.value.withLock { $0 } ?? PushResult(number: 0, disposition: .unknown)
    }
}

private final class LastResult: Sendable {
    let value = Mutex<PushResult?>(nil)
}
