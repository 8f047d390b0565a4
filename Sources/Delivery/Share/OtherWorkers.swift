import CampaignCore

/// The last report of each other process; it stays counted after the process is gone.
struct OtherWorkers: Sendable {
    /// Keeps processes that are gone: one may return before anybody takes its claims over.
    private var reports: [Int64: WorkerReport] = [:]
    private(set) var count = 0

    /// Returns what others did since the last look.
    mutating func look(at workers: [RunWorker]) -> WorkerReport {
        var change = WorkerReport()
        count = workers.count
        for worker in workers {
            let before = reports.updateValue(worker.report, forKey: worker.id) ?? WorkerReport()
            change.add(worker.report, since: before)
        }
        return change
    }
}

extension WorkerReport {
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
