package import CampaignCore
package import FoundationEssentials

/// Turns of earlier runs: `local_time` comes at most once a day.
package struct EarlierTurns: Sendable {
    /// Seconds; an older turn was on another day in every time zone.
    private static let longest: TimeInterval = 2 * 86_400

    package static let none = EarlierTurns()

    /// In seconds since 1970, by zone.
    private var turns: [String: [Int]] = [:]

    private init() {}

    /// Reads the turns; one after the end of its run does not count.
    package init(
        of campaign: String, at hub: HubIdentity, in ledger: any RunHistory, before start: Date
    ) async throws {
        let earliest = start.addingTimeInterval(-Self.longest)
        // A fallback belongs to a turn its people already had.
        let runs = try await Sendings(of: campaign, at: hub, in: ledger)
            .staged(endedAfter: earliest)
        for run in runs {
            let deadline = RunDeadline(run).date
            let end = run.finished ?? deadline
            guard end > earliest else { continue }
            for wave in try await ledger.waves(run.id) {
                let opening = Date(timeIntervalSince1970: Double(wave.turn.opens))
                guard opening < deadline, opening <= end else { continue }
                for zone in wave.zones { turns[zone, default: []].append(wave.turn.opens) }
            }
        }
    }

    /// In seconds since 1970.
    func instants(in zone: String) -> [Int] { turns[zone] ?? [] }
}
