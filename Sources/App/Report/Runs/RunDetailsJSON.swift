import CampaignCore
import FoundationEssentials

/// The object of `hubsend runs show --format json`, on one line with sorted keys.
///
/// It extends an object of ``RunListJSON``.
struct RunDetailsJSON: JSONLine {
    private let details: RunDetails

    init(_ details: RunDetails) {
        self.details = details
    }

    func encode(to encoder: any Encoder) throws {
        let overview = details.overview
        let run = overview.run
        var object = encoder.container(keyedBy: RunJSONKey.self)
        try overview.encodeListed(into: &object)
        try object.encode(people, forKey: .people)
        try object.encode(run.kind.rawValue, forKey: .kind)
        try object.encode(run.campaignPath, forKey: .file)
        try object.encode(UTCTime.text(run.expires), forKey: .expires)
        try object.encode(run.isMessagePrivate, forKey: .privateMessage)
        try object.encode(details.platforms.map(PlatformJSON.init), forKey: .platforms)
        try object.encode(overview.reasons.map(ReasonJSON.init), forKey: .reasons)
        try object.encode(skipped, forKey: .skipped)
        try object.encode(PolicyJSON(run), forKey: .delivery)
        try object.encode(details.course.map(CourseJSON.init), forKey: .course)
        try object.encode(details.waves.map(WaveJSON.init), forKey: .waves)
        try object.encode(overview.fallbacks.map(\.text), forKey: .fallbacks)
    }

    private var people: [String: Int] {
        let counts = details.overview.run.counts
        let reach = details.overview.reach ?? Reach()
        return [
            "named": counts.named, "duplicate": counts.duplicate, "excluded": counts.excluded,
            "sent": details.tried, "accepted": reach.accepted, "fetched": reach.fetched,
            "read": reach.read,
        ]
    }

    /// Reasons that are counted separately.
    private var skipped: [String: Int] {
        let outcomes = details.overview.outcomes
        return [
            "too_late": outcomes.tooLate, "expired": outcomes.expired, "revoked": outcomes.revoked,
        ]
    }
}

private struct PlatformJSON: Encodable {
    let platform: String
    let outcomes: [String: Int]

    init(_ platform: PlatformOutcomes) {
        self.platform = platform.platform.rawValue
        outcomes = platform.outcomes.named
    }
}

private struct WaveJSON: Encodable {
    private enum CodingKeys: String, CodingKey {
        case begins, recipients, outcomes
        case zones = "time_zones"
    }

    let begins: String
    let recipients: Int
    let zones: [String]
    let outcomes: [String: Int]

    init(_ standing: WaveStanding) {
        begins = UTCTime.text(
            Date(timeIntervalSince1970: Double(standing.wave.turn.opens)))
        recipients = standing.wave.recipients.count
        zones = standing.wave.zones
        outcomes = standing.outcomes.named
    }
}

private struct ReasonJSON: Encodable {
    private enum CodingKeys: String, CodingKey {
        case outcome, reason, count, example
    }

    let outcome: Outcome
    let reason: String
    let count: Int
    let example: String?

    init(_ reason: TroubleReason) {
        outcome = reason.outcome
        self.reason = HubText.cleaned(reason.reason)
        count = reason.count
        example = reason.example?.text
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(outcome, forKey: .outcome)
        try object.encode(reason, forKey: .reason)
        try object.encode(count, forKey: .count)
        // Null is easier to use than a missing key.
        try object.encode(example, forKey: .example)
    }
}

/// Times are in seconds.
private struct PolicyJSON: Encodable {
    private enum CodingKeys: String, CodingKey {
        case rate, concurrency
        case recipientsPerPush = "recipients_per_push"
        case attempts
        case retrySeconds = "retry_seconds"
        case finishSeconds = "finish_within_seconds"
        case onUnknown = "on_unknown"
        case stopPercent = "stop_when_percent"
        case stopMinimum = "stop_when_minimum"
        case cap = "frequency_cap"
    }

    private let policy: DeliveryPolicy
    private let kind: CampaignKind

    init(_ run: RunRecord) {
        policy = run.delivery
        kind = run.kind
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(policy.rate, forKey: .rate)
        try object.encode(policy.concurrency, forKey: .concurrency)
        try object.encode(policy.recipientsPerPush, forKey: .recipientsPerPush)
        try object.encode(policy.retry.attempts, forKey: .attempts)
        try object.encode(policy.retry.duration / .seconds(1), forKey: .retrySeconds)
        try object.encode(policy.finishWithin / .seconds(1), forKey: .finishSeconds)
        try object.encode(
            policy.onUnknown ?? UnknownPolicy.standard(for: kind), forKey: .onUnknown)
        try object.encode(policy.stopWhen?.percent, forKey: .stopPercent)
        try object.encode(policy.stopWhen?.minimum, forKey: .stopMinimum)
        try object.encode(policy.frequencyCap?.description, forKey: .cap)
    }
}

private struct CourseJSON: Encodable {
    private enum CodingKeys: String, CodingKey {
        case start, steps
        case length = "step_seconds"
    }

    let start: String
    let length: Int
    let steps: [[String: Int]]

    init(_ course: RunCourse) {
        start = UTCTime.text(course.start)
        length = course.length
        steps = course.steps.map { step in
            var counts: [String: Int] = [:]
            for outcome in RunCourse.outcomes { counts[outcome.rawValue] = step[outcome] }
            return counts
        }
    }
}
