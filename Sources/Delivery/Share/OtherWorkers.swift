import CampaignCore

/// What each of the other processes that work on a run told last.
///
/// What a process has told stays counted when it is gone.
struct OtherWorkers: Sendable {
    /// What others have done since the last look.
    struct Change: Hashable, Sendable {
        /// How deliveries ended.
        var outcomes = OutcomeCounts()
        /// Hub requests.
        var requests = 0
        var traffic: [Platform: PlatformTraffic] = [:]
        /// Whether this is the first look: it tells what they had done before, most of which stands in the ledger.
        var isOld = false
    }

    /// The last reports.
    ///
    /// Processes that are gone stay here: one whose lease had ended may come back before anybody has taken it over.
    private var reports: [Int64: WorkerReport] = [:]
    private var hasLooked = false
    /// How many other processes work on the run now.
    private(set) var count = 0

    /// Takes what the others tell.
    mutating func look(at workers: [RunWorker]) -> Change {
        var change = Change(isOld: !hasLooked)
        hasLooked = true
        count = workers.count
        for worker in workers {
            let before = reports.updateValue(worker.report, forKey: worker.id) ?? WorkerReport()
            change.add(worker.report, since: before)
        }
        return change
    }
}

extension OtherWorkers.Change {
    fileprivate mutating func add(_ report: WorkerReport, since before: WorkerReport) {
        for outcome in Outcome.allCases {
            outcomes[outcome] += max(0, report.outcomes[outcome] - before.outcomes[outcome])
        }
        requests += max(0, report.requests - before.requests)
        for (platform, now) in report.traffic {
            let known = before.traffic[platform] ?? PlatformTraffic()
            traffic[platform, default: PlatformTraffic()].answers +=
                max(0, now.answers - known.answers)
            traffic[platform, default: PlatformTraffic()].complaints +=
                max(0, now.complaints - known.complaints)
        }
    }
}
