package import CampaignCore
package import FoundationEssentials

extension RunHistory {
    /// The planned times of earlier runs of a campaign, in seconds since 1970, by zone.
    ///
    /// `local_time` occurs no more than once a day. A planned time after the end of its run is
    /// ignored.
    package func earlierSendTimes(
        of campaign: String, at hub: HubIdentity, before start: Date
    ) async throws -> [String: [Int]] {
        // Anything earlier was on a different day in every time zone.
        let earliest = start.addingTimeInterval(-2 * 86_400)
        var sendTimes: [String: [Int]] = [:]
        // Fallbacks are ignored, because their people already got the push of that time.
        for run in try await staged(of: campaign, at: hub, endedAfter: earliest) {
            let deadline = RunDeadline(run).date
            let end = run.finished ?? deadline
            guard end > earliest else { continue }
            for wave in try await waves(run.id) {
                let opening = Date(timeIntervalSince1970: Double(wave.windows.opens))
                guard opening < deadline, opening <= end else { continue }
                for zone in wave.zones { sendTimes[zone, default: []].append(wave.windows.opens) }
            }
        }
        return sendTimes
    }
}
