import CampaignCore
import FoundationEssentials

/// Runs as JSON; keys may be added, but never removed.
enum RunJSON {
    /// The object that `run --json` prints.
    static func summary(_ overview: RunOverview) -> JSONObject {
        shared(overview) + ["people": overview.reach.map(people), "report": overview.report]
    }

    /// The array that `hubsend runs --format json` prints, in the given order.
    ///
    /// Each object has the keys of ``summary(_:)`` except `report` and `people`, and additional
    /// keys; `workers` is present only for a store on a server.
    static func list(_ runs: [RunOverview]) -> [JSONObject] { runs.map(listed) }

    /// A line of `hubsend report --format jsonl`.
    static func row(_ overview: RunOverview) -> JSONObject {
        listed(overview) + ["people": overview.reach.map(people)]
    }

    /// The object that `hubsend runs show --format json` prints, which is an object of ``list(_:)``
    /// with more keys.
    static func details(_ details: RunDetails) -> JSONObject {
        let (overview, run) = (details.overview, details.overview.run)
        let (counts, reach) = (run.counts, overview.reach ?? Reach())
        return listed(overview) + [
            "people": [
                "named": counts.named, "duplicate": counts.duplicate,
                "excluded": counts.excluded, "sent": details.tried,
                "accepted": reach.accepted, "fetched": reach.fetched, "read": reach.read,
            ],
            "kind": run.kind,
            "file": run.campaignPath,
            "expires": UTCTime.text(run.expires),
            "private_message": run.isMessagePrivate,
            "platforms": details.platforms.map {
                ["platform": $0.platform.rawValue, "outcomes": $0.outcomes.named] as JSONObject
            },
            "reasons": overview.reasons.map(reason),
            // The reasons for skipping deliveries are counted separately.
            "skipped": [
                "too_late": overview.outcomes.tooLate, "expired": overview.outcomes.expired,
                "revoked": overview.outcomes.revoked,
            ],
            "delivery": policy(run),
            "course": details.course.map(course),
            "waves": details.waves.map(wave),
            "fallbacks": overview.fallbacks.map(\.text),
        ]
    }

    private static func shared(_ overview: RunOverview) -> JSONObject {
        let run = overview.run
        return [
            "run": run.id.text, "campaign": run.campaign, "occurrence": run.occurrence.text,
            "state": run.state, "resumes": run.resumes.map(UTCTime.text),
            "recipients": run.recipients, "deliveries": run.deliveries, "requests": run.requests,
            "outcomes": overview.outcomes.named, "started": UTCTime.text(run.started),
            "finished": run.finished.map(UTCTime.text), "plan": run.plan?.text,
            "started_by": run.starter,
        ]
    }

    private static func listed(_ overview: RunOverview) -> JSONObject {
        let run = overview.run
        let more: JSONObject = [
            "rehearsal": run.isRehearsal, "reason": run.reason,
            "revoked": run.revoked.map(UTCTime.text), "hub": run.hub.description,
            "fallback_of": run.occurrence.fallbackOf?.text,
            "deliveries_deleted": run.deliveriesDeleted.map(UTCTime.text),
        ]
        // A store in a file has no workers.
        let workers: JSONObject = ["workers": overview.workers?.map(worker)]
        return shared(overview) + more + workers.withoutNulls
    }

    private static func people(_ reach: Reach) -> [String: Int] {
        ["accepted": reach.accepted, "fetched": reach.fetched, "read": reach.read]
    }

    private static func worker(_ worker: RunWorker) -> JSONObject {
        [
            "host": worker.process.host, "process": worker.process.number,
            "version": worker.process.version, "since": UTCTime.text(worker.joined),
            "last_seen": UTCTime.text(worker.seen), "requests": worker.report.requests,
            "rate": worker.report.rate, "outcomes": worker.report.outcomes.named,
        ]
    }

    private static func wave(_ standing: WaveOutcomes) -> JSONObject {
        let opens = Date(timeIntervalSince1970: Double(standing.wave.windows.opens))
        return [
            "begins": UTCTime.text(opens), "recipients": standing.wave.recipients.count,
            "time_zones": standing.wave.zones, "outcomes": standing.outcomes.named,
        ]
    }

    private static func reason(_ reason: TroubleReason) -> JSONObject {
        [
            "outcome": reason.outcome, "reason": HubText.cleaned(reason.reason),
            "count": reason.count, "example": reason.example?.text,
        ]
    }

    private static func policy(_ run: RunRecord) -> JSONObject {
        let policy = run.delivery
        return [
            "rate": policy.rate, "concurrency": policy.concurrency,
            "recipients_per_push": policy.recipientsPerPush, "attempts": policy.retry.attempts,
            "retry_seconds": policy.retry.duration / .seconds(1),
            "finish_within_seconds": policy.finishWithin / .seconds(1),
            "on_unknown": policy.onUnknown ?? UnknownPolicy.standard(for: run.kind),
            "stop_when_percent": policy.stopWhen?.percent,
            "stop_when_minimum": policy.stopWhen?.minimum,
            "frequency_cap": policy.frequencyCap?.description,
        ]
    }

    private static func course(_ course: RunCourse) -> JSONObject {
        [
            "start": UTCTime.text(course.start), "step_seconds": course.length,
            "steps": course.steps.map { step in
                Dictionary(uniqueKeysWithValues: Outcome.sent.map { ($0.rawValue, step[$0]) })
            },
        ]
    }
}

extension OutcomeCounts {
    /// The number of deliveries for every outcome, including zeros.
    var named: [String: Int] {
        Dictionary(uniqueKeysWithValues: Outcome.allCases.map { ($0.rawValue, self[$0]) })
    }
}
