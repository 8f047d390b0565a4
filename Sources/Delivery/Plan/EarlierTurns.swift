package import CampaignCore
package import FoundationEssentials

/// When people had their turn in earlier runs of a campaign: `local_time` comes once a day at most.
package struct EarlierTurns: Sendable {
    /// What is longer ago was on another day, by the clocks of any zone.
    private static let longest: TimeInterval = 2 * 86_400

    package static let none = EarlierTurns()

    /// In seconds since 1970, by the name of the zone.
    private var turns: [String: [Int]] = [:]

    private init() {}

    /// Reads them.
    ///
    /// Turns that never came do not count: those after their run had ended.
    ///
    /// - Parameters:
    ///   - campaign: the campaign's name.
    ///   - hub: where it is sent.
    ///   - ledger: where runs are kept.
    ///   - start: when the new run starts.
    /// - Throws: what the ledger throws.
    package init(
        of campaign: String, at hub: HubIdentity, in ledger: any RunLedger, before start: Date
    ) async throws {
        let earliest = start.addingTimeInterval(-Self.longest)
        let sendings = try await Sendings(of: campaign, at: hub, in: ledger)
        // A fallback is no turn of its own: it belongs to one that its people had.
        for run in sendings.staged where run.occurrence.fallbackOf == nil {
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

    /// Those in a zone, in seconds since 1970.
    func instants(in zone: String) -> [Int] { turns[zone] ?? [] }
}
