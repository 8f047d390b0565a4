import CampaignCore
import Storage

/// A process's report about its part, as `run_members` keeps it; requests have their own column,
/// closed pages are not kept.
struct StoredReport: Codable {
    private struct Traffic: Codable {
        let answers: Int
        let complaints: Int
    }

    private let outcomes: [String: Int]
    private let tooLate: Int
    private let expired: Int
    private let revoked: Int
    private let traffic: [String: Traffic]
    private let rate: Double?
    private let fault: String?

    init(_ report: WorkerReport) {
        let counts = report.outcomes
        outcomes = Dictionary(
            uniqueKeysWithValues: Outcome.allCases.filter { counts[$0] != 0 }.map {
                ($0.rawValue, counts[$0])
            })
        (tooLate, expired, revoked) = (counts.tooLate, counts.expired, counts.revoked)
        traffic = Dictionary(
            uniqueKeysWithValues: report.traffic.map { platform, traffic in
                (
                    platform.rawValue,
                    Traffic(answers: traffic.answers, complaints: traffic.complaints)
                )
            })
        rate = report.rate
        fault = report.fault
    }

    func encoded() throws -> String { try StoredJSON.encode(self) }

    /// nil: there is no report yet.
    static func report(_ text: String?, requests: Int) throws -> WorkerReport {
        guard let text else { return WorkerReport(requests: requests) }
        let stored: StoredReport = try StoredJSON.decode(text)
        var counts = OutcomeCounts()
        // A newer version may have more outcomes and platforms.
        for outcome in Outcome.allCases { counts[outcome] = stored.outcomes[outcome.rawValue] ?? 0 }
        (counts.tooLate, counts.expired, counts.revoked) =
            (stored.tooLate, stored.expired, stored.revoked)
        var traffic: [Platform: PlatformTraffic] = [:]
        for (name, sums) in stored.traffic {
            guard let platform = Platform(rawValue: name) else { continue }
            traffic[platform] = PlatformTraffic(answers: sums.answers, complaints: sums.complaints)
        }
        return WorkerReport(
            outcomes: counts, requests: requests, traffic: traffic, rate: stored.rate,
            fault: stored.fault)
    }
}
