import CampaignCore

/// The last reports of other processes, which remain valid after a process has left.
struct OtherWorkers: Sendable {
    /// Includes processes that have left, because they may return before others take over their
    /// claims.
    private var reports: [Int64: WorkerReport] = [:]
    private(set) var count = 0

    /// Returns what others did since the last call.
    mutating func update(with workers: [RunWorker]) -> WorkerReport {
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
            traffic[platform, default: PlatformTraffic()].throttled +=
                max(0, now.throttled - known.throttled)
        }
    }
}
