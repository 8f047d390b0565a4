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
        outcomes = counts.stored
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
        var traffic: [Platform: PlatformTraffic] = [:]
        for (name, sums) in stored.traffic {
            // A newer version may have more platforms.
            guard let platform = Platform(rawValue: name) else { continue }
            traffic[platform] = PlatformTraffic(answers: sums.answers, complaints: sums.complaints)
        }
        return WorkerReport(
            outcomes: OutcomeCounts(
                stored: stored.outcomes, tooLate: stored.tooLate, expired: stored.expired,
                revoked: stored.revoked), requests: requests, traffic: traffic,
            rate: stored.rate, fault: stored.fault)
    }
}
