import CampaignCore

/// The object of `run --json`, on one line with sorted keys.
struct RunSummaryJSON: JSONLine {
    private let overview: RunOverview

    init(_ overview: RunOverview) {
        self.overview = overview
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: RunJSONKey.self)
        try overview.encodeShared(into: &object)
        try object.encode(overview.reach.map(Self.people), forKey: .people)
        try object.encode(overview.report, forKey: .report)
    }

    static func people(_ reach: Reach) -> [String: Int] {
        ["accepted": reach.accepted, "fetched": reach.fetched, "read": reach.read]
    }
}

/// The array of `hubsend runs --format json`, in the order given.
///
/// Each object has the keys of ``RunSummaryJSON`` except `report` and `people`, and some more;
/// `workers` only for a store on a server.
struct RunListJSON: JSONLine {
    private let runs: [RunOverview]

    init(_ runs: [RunOverview]) {
        self.runs = runs
    }

    func encode(to encoder: any Encoder) throws {
        var array = encoder.unkeyedContainer()
        for overview in runs {
            var object = array.nestedContainer(keyedBy: RunJSONKey.self)
            try overview.encodeListed(into: &object)
        }
    }
}

extension RunOverview {
    /// Keys of every object about a run.
    ///
    /// A missing value is null: a key that is sometimes missing is harder to use.
    fileprivate func encodeShared(into object: inout KeyedEncodingContainer<RunJSONKey>) throws {
        try object.encode(run.id.text, forKey: .run)
        try object.encode(run.campaign, forKey: .campaign)
        try object.encode(run.occurrence.text, forKey: .occurrence)
        try object.encode(run.state, forKey: .state)
        try object.encode(run.resumes.map(UTCTime.text), forKey: .resumes)
        try object.encode(run.recipients, forKey: .recipients)
        try object.encode(run.deliveries, forKey: .deliveries)
        try object.encode(run.requests, forKey: .requests)
        try object.encode(outcomes.named, forKey: .outcomes)
        try object.encode(UTCTime.text(run.started), forKey: .started)
        try object.encode(run.finished.map(UTCTime.text), forKey: .finished)
        try object.encode(run.plan?.text, forKey: .plan)
        try object.encode(run.starter, forKey: .startedBy)
    }

    func encodeListed(into object: inout KeyedEncodingContainer<RunJSONKey>) throws {
        try encodeShared(into: &object)
        try object.encode(run.isRehearsal, forKey: .rehearsal)
        try object.encode(run.reason, forKey: .reason)
        try object.encode(run.revoked.map(UTCTime.text), forKey: .revoked)
        try object.encode(run.hub.description, forKey: .hub)
        try object.encode(run.occurrence.fallbackOf?.text, forKey: .fallbackOf)
        try object.encode(run.deliveriesDeleted.map(UTCTime.text), forKey: .deliveriesDeleted)
        // A store in a file has no workers.
        try object.encodeIfPresent(workers?.map(WorkerJSON.init), forKey: .workers)
    }
}

private struct WorkerJSON: Encodable {
    private enum CodingKeys: String, CodingKey {
        case host, process, version, since, requests, outcomes, rate
        case lastSeen = "last_seen"
    }

    private let worker: RunWorker

    init(_ worker: RunWorker) {
        self.worker = worker
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(worker.process.host, forKey: .host)
        try object.encode(worker.process.number, forKey: .process)
        try object.encode(worker.process.version, forKey: .version)
        try object.encode(UTCTime.text(worker.joined), forKey: .since)
        try object.encode(UTCTime.text(worker.seen), forKey: .lastSeen)
        try object.encode(worker.report.requests, forKey: .requests)
        try object.encode(worker.report.rate, forKey: .rate)
        try object.encode(worker.report.outcomes.named, forKey: .outcomes)
    }
}

extension OutcomeCounts {
    /// Includes zeros.
    var named: [String: Int] {
        var counts: [String: Int] = [:]
        for outcome in Outcome.allCases { counts[outcome.rawValue] = self[outcome] }
        return counts
    }
}

enum RunJSONKey: String, CodingKey {
    case run, campaign, occurrence, state, recipients, deliveries, requests, outcomes, started
    case finished, report, resumes, rehearsal, reason, hub, people, revoked, plan, kind, file
    case expires, platforms, reasons, skipped, delivery, course, waves, fallbacks, workers
    case fallbackOf = "fallback_of"
    case startedBy = "started_by"
    case privateMessage = "private_message"
    case deliveriesDeleted = "deliveries_deleted"
}
