import CampaignCore
import Storage

/// A process's report about its part, as stored in `run_members`; requests and faults have separate
/// columns, and closed pages are not stored.
struct StoredReport: Codable {
    private let outcomes: [String: Int]
    private let tooLate: Int
    private let expired: Int
    private let revoked: Int
    private let traffic: [String: PlatformTraffic]
    private let rate: Double?

    init(_ report: WorkerReport) {
        let counts = report.outcomes
        outcomes = counts.stored
        (tooLate, expired, revoked) = (counts.tooLate, counts.expired, counts.revoked)
        traffic = Dictionary(
            uniqueKeysWithValues: report.traffic.map { ($0.rawValue, $1) })
        rate = report.rate
    }

    func encoded() throws -> String { try StoredJSON.encode(self) }

    /// nil if there is no report yet.
    static func report(_ text: String?, requests: Int) throws -> WorkerReport {
        guard let text else { return WorkerReport(requests: requests) }
        let stored: StoredReport = try StoredJSON.decode(text)
        // A newer version may support more platforms.
        let traffic = stored.traffic.compactMap { name, sums in
            Platform(rawValue: name).map { ($0, sums) }
        }
        return WorkerReport(
            outcomes: OutcomeCounts(
                stored: stored.outcomes, tooLate: stored.tooLate, expired: stored.expired,
                revoked: stored.revoked), requests: requests,
            traffic: Dictionary(uniqueKeysWithValues: traffic), rate: stored.rate)
    }
}
